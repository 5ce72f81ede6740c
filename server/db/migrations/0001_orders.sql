ALTER TABLE "pay_codes" ALTER COLUMN "image" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "asked_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "orders_shipped_at" ON "orders" USING btree ("shipped_at") WHERE "orders"."status" = 'shipped';--> statement-breakpoint
CREATE INDEX "orders_expired_at" ON "orders" USING btree ("closed_at") WHERE "orders"."close_reason" = 'expired';--> statement-breakpoint
CREATE INDEX "pay_codes_expires" ON "pay_codes" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "pay_codes" ADD CONSTRAINT "pay_codes_image" CHECK (("pay_codes"."mode" = 'wxacode') = ("pay_codes"."image" is not null));