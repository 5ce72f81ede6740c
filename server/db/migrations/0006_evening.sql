CREATE TABLE "stock_movements" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stock_movements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"uid" text NOT NULL,
	"quantity" integer NOT NULL,
	"cause" text NOT NULL,
	"order_sn" text,
	"why" text,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stock_movements_kind_known" CHECK ("stock_movements"."kind" in ('sku', 'package')),
	CONSTRAINT "stock_movements_cause_known" CHECK ("stock_movements"."cause" in ('first', 'order', 'expiry', 'refund', 'late_payment', 'operator'))
);
--> statement-breakpoint
ALTER TABLE "activity_bookings" ADD COLUMN "checked_in_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "check_in_code" text;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "checked_in_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "stock_movements_uid" ON "stock_movements" USING btree ("uid");--> statement-breakpoint
INSERT INTO "stock_movements" ("kind", "uid", "quantity", "cause") SELECT 'sku', "uid", "stock", 'first' FROM "skus";--> statement-breakpoint
INSERT INTO "stock_movements" ("kind", "uid", "quantity", "cause") SELECT 'package', "uid", "stock", 'first' FROM "packages" WHERE "stock" IS NOT NULL;--> statement-breakpoint
UPDATE "bookings" SET "check_in_code" = (
	SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (get_byte(uuid_send(gen_random_uuid()), 0) & 31) + 1, 1), '')
	FROM generate_series(1, 8) WHERE "bookings"."id" IS NOT NULL
);--> statement-breakpoint
ALTER TABLE "bookings" ALTER COLUMN "check_in_code" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_check_in_code_unique" UNIQUE("check_in_code");