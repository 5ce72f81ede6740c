CREATE TABLE "prepays" (
	"trade_no" text PRIMARY KEY NOT NULL,
	"order_sn" text NOT NULL,
	"attempt" integer NOT NULL,
	"openid" text NOT NULL,
	"description" text NOT NULL,
	"pay_fen" integer NOT NULL,
	"expire_at" timestamp (3) with time zone NOT NULL,
	"notice_url" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"queried_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "prepays_attempt" UNIQUE("order_sn","attempt"),
	CONSTRAINT "prepays_number" CHECK ("prepays"."attempt" > 0 and "prepays"."trade_no" = "prepays"."order_sn" || case when "prepays"."attempt" = 1 then '' else '-' || "prepays"."attempt" end),
	CONSTRAINT "prepays_pay" CHECK ("prepays"."pay_fen" > 0)
);
--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_attempt";--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_number";--> statement-breakpoint
DROP INDEX "refunds_open";--> statement-breakpoint
ALTER TABLE "refunds" ALTER COLUMN "order_sn" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "trade_no" text;--> statement-breakpoint
UPDATE "payments" SET "trade_no" = "order_sn";--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "trade_no" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "openid" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "trade_no" text;--> statement-breakpoint
UPDATE "refunds" SET "trade_no" = "order_sn";--> statement-breakpoint
ALTER TABLE "refunds" ALTER COLUMN "trade_no" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "prepays" ADD CONSTRAINT "prepays_order_sn_orders_order_sn_fk" FOREIGN KEY ("order_sn") REFERENCES "public"."orders"("order_sn") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "prepays_payer" ON "prepays" USING btree ("order_sn","openid") WHERE "prepays"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "prepays_open" ON "prepays" USING btree ("created_at") WHERE "prepays"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "refunds_order" ON "refunds" USING btree ("order_sn") WHERE "refunds"."order_sn" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_open" ON "refunds" USING btree ("trade_no") WHERE "refunds"."status" in ('requested', 'processing') and not "refunds"."external";--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_trade_no_unique" UNIQUE("trade_no");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_attempt" UNIQUE("trade_no","attempt");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_number" CHECK ("refunds"."external" or "refunds"."refund_no" = "refunds"."trade_no" || 'R' || "refunds"."attempt");