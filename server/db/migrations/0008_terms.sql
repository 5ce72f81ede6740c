ALTER TABLE "order_lines" ADD COLUMN "level" integer;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "price_fen" integer;--> statement-breakpoint
CREATE INDEX "stock_movements_order" ON "stock_movements" USING btree ("order_sn") WHERE "stock_movements"."order_sn" is not null;--> statement-breakpoint
CREATE INDEX "stock_movements_first" ON "stock_movements" USING btree ("uid") WHERE "stock_movements"."cause" = 'first';--> statement-breakpoint
UPDATE "order_lines" SET "level" = "packages"."level", "price_fen" = "packages"."price_fen" FROM "packages"
	WHERE "order_lines"."uid" = "packages"."uid" AND "order_lines"."sku_uid" IS NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_package" CHECK ("order_lines"."level" between 1 and 3 and "order_lines"."price_fen" > 0);