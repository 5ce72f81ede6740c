CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"operator" text NOT NULL,
	"act" text NOT NULL,
	"subject" text NOT NULL,
	"member_id" uuid,
	"before" text,
	"after" text,
	"why" text
);
--> statement-breakpoint
CREATE TABLE "bill_comparisons" (
	"day" date PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "other_notices" (
	"provider" text NOT NULL,
	"notice_id" text NOT NULL,
	"event_type" text NOT NULL,
	"content" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"handled_at" timestamp (3) with time zone,
	CONSTRAINT "other_notices_provider_notice_id_pk" PRIMARY KEY("provider","notice_id"),
	CONSTRAINT "other_notices_provider_known" CHECK ("other_notices"."provider" in ('sandbox', 'wechat'))
);
--> statement-breakpoint
CREATE TABLE "earlier_codes" (
	"subject" text NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"digest" text NOT NULL,
	"network" text DEFAULT '' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"tries_elsewhere" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "earlier_codes_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "message_failures" (
	"sender" text PRIMARY KEY NOT NULL,
	"in_a_row" integer NOT NULL,
	"code" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_address";--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_number";--> statement-breakpoint
ALTER TABLE "unmatched_payments" DROP CONSTRAINT "unmatched_payments_reason_known";--> statement-breakpoint
DROP INDEX "refunds_open";--> statement-breakpoint
ALTER TABLE "packages" ALTER COLUMN "limit_per_member" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "member_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "activity_bookings" ADD COLUMN "undos" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "absent" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "undos" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "stops" ADD COLUMN "status" text DEFAULT 'scheduled' NOT NULL;--> statement-breakpoint
ALTER TABLE "stops" ADD COLUMN "moved_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "unclear_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "refund_reported_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "external" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "send_log" ADD COLUMN "counts_for_subject" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "send_log" ADD COLUMN "counts_for_server" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "audit" ADD CONSTRAINT "audit_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_subject" ON "audit" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "audit_member" ON "audit" USING btree ("member_id");--> statement-breakpoint
CREATE INDEX "earlier_codes_subject" ON "earlier_codes" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "earlier_codes_expires" ON "earlier_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "send_log_server" ON "send_log" USING btree ("at") WHERE "send_log"."counts_for_server";--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_open" ON "refunds" USING btree ("order_sn") WHERE "refunds"."status" in ('requested', 'processing') and not "refunds"."external";--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_absent" CHECK ("bookings"."absent" between 0 and "bookings"."party_size" - 1);--> statement-breakpoint
ALTER TABLE "stops" ADD CONSTRAINT "stops_status_known" CHECK ("stops"."status" in ('scheduled', 'cancelled', 'moved'));--> statement-breakpoint
ALTER TABLE "stops" ADD CONSTRAINT "stops_moved" CHECK (("stops"."status" = 'moved') = ("stops"."moved_from" is not null));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_address" CHECK (("orders"."kind" = 'goods' and "orders"."member_id" is not null) = ("orders"."address" is not null));--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_number" CHECK ("refunds"."external" or "refunds"."refund_no" = "refunds"."order_sn" || 'R' || "refunds"."attempt");--> statement-breakpoint
ALTER TABLE "unmatched_payments" ADD CONSTRAINT "unmatched_payments_reason_known" CHECK ("unmatched_payments"."reason" in ('unknown_order', 'other_sum', 'paid_before', 'not_in_bill', 'differs_in_bill'));