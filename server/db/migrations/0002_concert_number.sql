ALTER TABLE "concerts" DROP CONSTRAINT "concerts_both_languages";--> statement-breakpoint
ALTER TABLE "concerts" DROP COLUMN "title";