CREATE TABLE "shops" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"uid" text NOT NULL,
	"title" jsonb NOT NULL,
	"postage_fen" integer NOT NULL,
	"free_postage_from" integer NOT NULL,
	CONSTRAINT "shops_uid_form" CHECK ("shops"."uid" ~ '^[A-Za-z0-9_-]{1,64}$'),
	CONSTRAINT "shops_both_languages" CHECK (("shops"."title" is null or "shops"."title" ?& array['zh-CN', 'en-US'])),
	CONSTRAINT "shops_one" CHECK ("shops"."id" = 1),
	CONSTRAINT "shops_postage" CHECK ("shops"."postage_fen" >= 0 and "shops"."free_postage_from" >= 0)
);
--> statement-breakpoint
ALTER TABLE "goods" DROP CONSTRAINT "goods_both_languages";--> statement-breakpoint
ALTER TABLE "order_lines" DROP CONSTRAINT "order_lines_both_languages";--> statement-breakpoint
ALTER TABLE "packages" DROP CONSTRAINT "packages_both_languages";--> statement-breakpoint
DROP INDEX "skus_one_per_combination";--> statement-breakpoint
ALTER TABLE "activities" ADD COLUMN "early" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "activities" ADD COLUMN "on_sale" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "on_sale" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "stops" ADD COLUMN "on_sale" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "skus" ADD COLUMN "on_sale" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "images" jsonb DEFAULT '{"zh-CN":[],"en-US":[]}'::jsonb NOT NULL;--> statement-breakpoint
UPDATE "goods" SET "images" = jsonb_build_object(
	'zh-CN', coalesce((SELECT jsonb_agg(picture || jsonb_build_object('alt', picture->'alt'->'zh-CN') ORDER BY position) FROM jsonb_array_elements("images") WITH ORDINALITY AS list(picture, position)), '[]'),
	'en-US', coalesce((SELECT jsonb_agg(picture || jsonb_build_object('alt', picture->'alt'->'en-US') ORDER BY position) FROM jsonb_array_elements("images") WITH ORDINALITY AS list(picture, position)), '[]')
) WHERE jsonb_typeof("images") = 'array';--> statement-breakpoint
UPDATE "order_lines" SET "image" = jsonb_build_object(
	'zh-CN', "image" || jsonb_build_object('alt', "image"->'alt'->'zh-CN'),
	'en-US', "image" || jsonb_build_object('alt', "image"->'alt'->'en-US')
) WHERE "image" ? 'url';--> statement-breakpoint
CREATE UNIQUE INDEX "skus_one_per_combination" ON "skus" USING btree ("goods_uid","values") WHERE "skus"."on_sale";--> statement-breakpoint
ALTER TABLE "goods" ADD CONSTRAINT "goods_both_languages" CHECK (("goods"."title" is null or "goods"."title" ?& array['zh-CN', 'en-US']) and ("goods"."summary" is null or "goods"."summary" ?& array['zh-CN', 'en-US']) and ("goods"."detail" is null or "goods"."detail" ?& array['zh-CN', 'en-US']) and ("goods"."category" is null or "goods"."category" ?& array['zh-CN', 'en-US']) and ("goods"."images" is null or "goods"."images" ?& array['zh-CN', 'en-US']) and ("goods"."specs" is null or "goods"."specs" ?& array['zh-CN', 'en-US']));--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_both_languages" CHECK (("order_lines"."title" is null or "order_lines"."title" ?& array['zh-CN', 'en-US']) and ("order_lines"."spec" is null or "order_lines"."spec" ?& array['zh-CN', 'en-US']) and ("order_lines"."image" is null or "order_lines"."image" ?& array['zh-CN', 'en-US']));--> statement-breakpoint
ALTER TABLE "packages" ADD CONSTRAINT "packages_both_languages" CHECK (("packages"."title" is null or "packages"."title" ?& array['zh-CN', 'en-US']) and ("packages"."summary" is null or "packages"."summary" ?& array['zh-CN', 'en-US']) and ("packages"."rights" is null or "packages"."rights" ?& array['zh-CN', 'en-US']) and ("packages"."images" is null or "packages"."images" ?& array['zh-CN', 'en-US']) and ("packages"."badge" is null or "packages"."badge" ?& array['zh-CN', 'en-US']));