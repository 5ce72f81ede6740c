CREATE TABLE "refunds" (
	"refund_no" text PRIMARY KEY NOT NULL,
	"order_sn" text NOT NULL,
	"attempt" integer NOT NULL,
	"amount_fen" integer NOT NULL,
	"status" text NOT NULL,
	"failure" text,
	"provider_refund_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"asks" integer DEFAULT 0 NOT NULL,
	"next_ask_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "refunds_attempt" UNIQUE("order_sn","attempt"),
	CONSTRAINT "refunds_status_known" CHECK ("refunds"."status" in ('requested', 'processing', 'succeeded', 'failed')),
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount_fen" > 0 and "refunds"."attempt" > 0 and "refunds"."asks" >= 0),
	CONSTRAINT "refunds_number" CHECK ("refunds"."refund_no" = "refunds"."order_sn" || 'R' || "refunds"."attempt"),
	CONSTRAINT "refunds_ended" CHECK (("refunds"."status" in ('succeeded', 'failed')) = ("refunds"."ended_at" is not null)),
	CONSTRAINT "refunds_failure" CHECK (("refunds"."status" = 'failed') = ("refunds"."failure" is not null))
);
--> statement-breakpoint
CREATE TABLE "unmatched_payments" (
	"provider" text NOT NULL,
	"transaction_id" text NOT NULL,
	"order_sn" text NOT NULL,
	"reason" text NOT NULL,
	"pay_fen" bigint NOT NULL,
	"paid_at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"handled_at" timestamp (3) with time zone,
	CONSTRAINT "unmatched_payments_provider_transaction_id_pk" PRIMARY KEY("provider","transaction_id"),
	CONSTRAINT "unmatched_payments_provider_known" CHECK ("unmatched_payments"."provider" in ('sandbox', 'wechat')),
	CONSTRAINT "unmatched_payments_reason_known" CHECK ("unmatched_payments"."reason" in ('unknown_order', 'other_sum', 'paid_before')),
	CONSTRAINT "unmatched_payments_pay" CHECK ("unmatched_payments"."pay_fen" > 0)
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "ask_failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "ask_failed_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "provider_closed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_sn_orders_order_sn_fk" FOREIGN KEY ("order_sn") REFERENCES "public"."orders"("order_sn") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_open" ON "refunds" USING btree ("order_sn") WHERE "refunds"."status" in ('requested', 'processing');--> statement-breakpoint
CREATE INDEX "refunds_next_ask" ON "refunds" USING btree ("next_ask_at") WHERE "refunds"."next_ask_at" is not null;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_ask_failures" CHECK ("orders"."ask_failures" >= 0 and ("orders"."ask_failures" = 0) = ("orders"."ask_failed_since" is null));