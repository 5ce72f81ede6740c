ALTER TABLE "stock_movements" DROP CONSTRAINT "stock_movements_cause_known";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "cancelled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_cause_known" CHECK ("stock_movements"."cause" in ('first', 'order', 'expiry', 'cancellation', 'refund', 'late_payment', 'operator'));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_cancelled" CHECK ("orders"."cancelled_at" is null or "orders"."status" = 'closed');