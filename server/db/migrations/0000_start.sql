CREATE TABLE "activities" (
	"uid" text PRIMARY KEY NOT NULL,
	"title" jsonb NOT NULL,
	"venue" jsonb NOT NULL,
	"city" jsonb NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"opens_at" timestamp (3) with time zone NOT NULL,
	"closes_at" timestamp (3) with time zone NOT NULL,
	"capacity" integer NOT NULL,
	"booked" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "activities_uid_form" CHECK ("activities"."uid" ~ '^[A-Za-z0-9_-]{1,64}$'),
	CONSTRAINT "activities_both_languages" CHECK (("activities"."title" is null or "activities"."title" ?& array['zh-CN', 'en-US']) and ("activities"."venue" is null or "activities"."venue" ?& array['zh-CN', 'en-US']) and ("activities"."city" is null or "activities"."city" ?& array['zh-CN', 'en-US'])),
	CONSTRAINT "activities_places" CHECK ("activities"."booked" between 0 and "activities"."capacity"),
	CONSTRAINT "activities_order_of_times" CHECK ("activities"."opens_at" < "activities"."closes_at" and "activities"."starts_at" < "activities"."ends_at")
);
--> statement-breakpoint
CREATE TABLE "activity_bookings" (
	"activity_uid" text NOT NULL,
	"member_id" uuid NOT NULL,
	"check_in_code" text NOT NULL,
	"booked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "activity_bookings_activity_uid_member_id_pk" PRIMARY KEY("activity_uid","member_id"),
	CONSTRAINT "activity_bookings_check_in_code_unique" UNIQUE("check_in_code")
);
--> statement-breakpoint
CREATE TABLE "addresses" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"member_id" uuid NOT NULL,
	"name" text NOT NULL,
	"mobile" text NOT NULL,
	"region_code" text NOT NULL,
	"detail" text NOT NULL,
	"is_default" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "addresses_mobile_form" CHECK ("addresses"."mobile" ~ '^1[3-9][0-9]{9}$'),
	CONSTRAINT "addresses_region_form" CHECK ("addresses"."region_code" ~ '^[0-9]{6,12}$')
);
--> statement-breakpoint
CREATE TABLE "bookings" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"member_id" uuid NOT NULL,
	"campaign_uid" text NOT NULL,
	"stop" text NOT NULL,
	"name" text NOT NULL,
	"mobile" text NOT NULL,
	"party_size" integer NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bookings_party_size" CHECK ("bookings"."party_size" between 1 and 4)
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"uid" text PRIMARY KEY NOT NULL,
	"title" jsonb NOT NULL,
	"opens_at" timestamp (3) with time zone NOT NULL,
	"closes_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "campaigns_uid_form" CHECK ("campaigns"."uid" ~ '^[A-Za-z0-9_-]{1,64}$'),
	CONSTRAINT "campaigns_both_languages" CHECK (("campaigns"."title" is null or "campaigns"."title" ?& array['zh-CN', 'en-US'])),
	CONSTRAINT "campaigns_order_of_times" CHECK ("campaigns"."opens_at" < "campaigns"."closes_at")
);
--> statement-breakpoint
CREATE TABLE "stops" (
	"campaign_uid" text NOT NULL,
	"stop" text NOT NULL,
	"city" jsonb NOT NULL,
	"venue" jsonb NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"capacity" integer NOT NULL,
	"taken" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "stops_campaign_uid_stop_pk" PRIMARY KEY("campaign_uid","stop"),
	CONSTRAINT "stops_stop_form" CHECK ("stops"."stop" ~ '^[A-Za-z0-9_-]{1,64}$'),
	CONSTRAINT "stops_both_languages" CHECK (("stops"."city" is null or "stops"."city" ?& array['zh-CN', 'en-US']) and ("stops"."venue" is null or "stops"."venue" ?& array['zh-CN', 'en-US'])),
	CONSTRAINT "stops_places" CHECK ("stops"."taken" between 0 and "stops"."capacity")
);
--> statement-breakpoint
CREATE TABLE "concert_plans" (
	"member_id" uuid NOT NULL,
	"concert_id" integer NOT NULL,
	"joined_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "concert_plans_member_id_concert_id_pk" PRIMARY KEY("member_id","concert_id")
);
--> statement-breakpoint
CREATE TABLE "concerts" (
	"id" integer PRIMARY KEY NOT NULL,
	"title" jsonb NOT NULL,
	CONSTRAINT "concerts_both_languages" CHECK (("concerts"."title" is null or "concerts"."title" ?& array['zh-CN', 'en-US']))
);
--> statement-breakpoint
CREATE TABLE "goods" (
	"uid" text PRIMARY KEY NOT NULL,
	"title" jsonb NOT NULL,
	"summary" jsonb NOT NULL,
	"detail" jsonb NOT NULL,
	"category" jsonb NOT NULL,
	"images" jsonb NOT NULL,
	"specs" jsonb NOT NULL,
	"list_price_fen" integer,
	"limit_per_member" integer NOT NULL,
	"on_sale" boolean NOT NULL,
	"sold" integer DEFAULT 0 NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "goods_uid_form" CHECK ("goods"."uid" ~ '^[A-Za-z0-9_-]{1,64}$'),
	CONSTRAINT "goods_both_languages" CHECK (("goods"."title" is null or "goods"."title" ?& array['zh-CN', 'en-US']) and ("goods"."summary" is null or "goods"."summary" ?& array['zh-CN', 'en-US']) and ("goods"."detail" is null or "goods"."detail" ?& array['zh-CN', 'en-US']) and ("goods"."category" is null or "goods"."category" ?& array['zh-CN', 'en-US']) and ("goods"."specs" is null or "goods"."specs" ?& array['zh-CN', 'en-US'])),
	CONSTRAINT "goods_list_price" CHECK ("goods"."list_price_fen" > 0),
	CONSTRAINT "goods_limit" CHECK ("goods"."limit_per_member" between 1 and 99),
	CONSTRAINT "goods_sold" CHECK ("goods"."sold" >= 0)
);
--> statement-breakpoint
CREATE TABLE "skus" (
	"uid" text PRIMARY KEY NOT NULL,
	"goods_uid" text NOT NULL,
	"values" jsonb NOT NULL,
	"pay_fen" integer NOT NULL,
	"stock" integer NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "skus_uid_form" CHECK ("skus"."uid" ~ '^[A-Za-z0-9_-]{1,64}$'),
	CONSTRAINT "skus_both_languages" CHECK (("skus"."values" is null or "skus"."values" ?& array['zh-CN', 'en-US'])),
	CONSTRAINT "skus_pay" CHECK ("skus"."pay_fen" > 0),
	CONSTRAINT "skus_stock" CHECK ("skus"."stock" >= 0)
);
--> statement-breakpoint
CREATE TABLE "members" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"mobile" text NOT NULL,
	"account" text,
	"nickname" text NOT NULL,
	"activated" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "members_mobile_unique" UNIQUE("mobile"),
	CONSTRAINT "members_account_unique" UNIQUE("account"),
	CONSTRAINT "members_mobile_form" CHECK ("members"."mobile" ~ '^1[3-9][0-9]{9}$'),
	CONSTRAINT "members_account_form" CHECK ("members"."account" ~ '^[a-z][a-z0-9_]{3,31}$')
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"member_id" uuid PRIMARY KEY NOT NULL,
	"package_uid" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "memberships_order_of_times" CHECK ("memberships"."expires_at" > "memberships"."started_at")
);
--> statement-breakpoint
CREATE TABLE "order_lines" (
	"order_sn" text NOT NULL,
	"line" integer DEFAULT 1 NOT NULL,
	"uid" text NOT NULL,
	"sku_uid" text,
	"title" jsonb NOT NULL,
	"spec" jsonb NOT NULL,
	"image" jsonb NOT NULL,
	"pay_fen" integer NOT NULL,
	"quantity" integer NOT NULL,
	"days" integer,
	CONSTRAINT "order_lines_order_sn_line_pk" PRIMARY KEY("order_sn","line"),
	CONSTRAINT "order_lines_both_languages" CHECK (("order_lines"."title" is null or "order_lines"."title" ?& array['zh-CN', 'en-US']) and ("order_lines"."spec" is null or "order_lines"."spec" ?& array['zh-CN', 'en-US'])),
	CONSTRAINT "order_lines_quantity" CHECK ("order_lines"."quantity" between 1 and 99),
	CONSTRAINT "order_lines_pay" CHECK ("order_lines"."pay_fen" > 0)
);
--> statement-breakpoint
CREATE TABLE "order_requests" (
	"member_id" uuid NOT NULL,
	"client_request_id" text NOT NULL,
	"payload_hash" text NOT NULL,
	"order_sn" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "order_requests_member_id_client_request_id_pk" PRIMARY KEY("member_id","client_request_id")
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"order_sn" text PRIMARY KEY NOT NULL,
	"member_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"close_reason" text,
	"goods_fen" integer NOT NULL,
	"postage_fen" integer NOT NULL,
	"pay_fen" integer NOT NULL,
	"address" jsonb,
	"note" text DEFAULT '' NOT NULL,
	"carrier" text,
	"tracking" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"pay_expire_at" timestamp (3) with time zone NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"shipped_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"stock_returned_at" timestamp (3) with time zone,
	CONSTRAINT "orders_order_sn_form" CHECK ("orders"."order_sn" ~ '^[MV][0-9]{12}[0-9A-HJKMNP-TV-Z]{8}$'),
	CONSTRAINT "orders_kind_in_order_sn" CHECK (("orders"."kind" = 'goods') = (left("orders"."order_sn", 1) = 'M')),
	CONSTRAINT "orders_kind_known" CHECK ("orders"."kind" in ('goods', 'package')),
	CONSTRAINT "orders_status_known" CHECK ("orders"."status" in ('pending', 'paid', 'shipped', 'completed', 'closed')),
	CONSTRAINT "orders_close_reason_known" CHECK ("orders"."close_reason" in ('expired', 'refunded', 'refund_due')),
	CONSTRAINT "orders_sum" CHECK ("orders"."pay_fen" = "orders"."goods_fen" + "orders"."postage_fen" and "orders"."goods_fen" > 0 and "orders"."postage_fen" >= 0),
	CONSTRAINT "orders_address" CHECK (("orders"."kind" = 'goods') = ("orders"."address" is not null)),
	CONSTRAINT "orders_closed" CHECK (("orders"."status" = 'closed') = ("orders"."closed_at" is not null) and ("orders"."status" = 'closed') = ("orders"."close_reason" is not null)),
	CONSTRAINT "orders_paid" CHECK ("orders"."status" not in ('paid', 'shipped', 'completed') or "orders"."paid_at" is not null),
	CONSTRAINT "orders_shipped" CHECK ("orders"."status" <> 'shipped' or "orders"."shipped_at" is not null),
	CONSTRAINT "orders_completed" CHECK ("orders"."status" <> 'completed' or "orders"."completed_at" is not null),
	CONSTRAINT "orders_stock_returned" CHECK ("orders"."stock_returned_at" is null or "orders"."status" = 'closed')
);
--> statement-breakpoint
CREATE TABLE "packages" (
	"uid" text PRIMARY KEY NOT NULL,
	"level" integer NOT NULL,
	"days" integer NOT NULL,
	"title" jsonb NOT NULL,
	"summary" jsonb NOT NULL,
	"rights" jsonb NOT NULL,
	"free_postage" boolean NOT NULL,
	"price_fen" integer NOT NULL,
	"pay_fen" integer NOT NULL,
	"badge" jsonb,
	"stock" integer,
	"limit_per_member" integer NOT NULL,
	"on_sale" boolean NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "packages_uid_form" CHECK ("packages"."uid" ~ '^[A-Za-z0-9_-]{1,64}$'),
	CONSTRAINT "packages_both_languages" CHECK (("packages"."title" is null or "packages"."title" ?& array['zh-CN', 'en-US']) and ("packages"."summary" is null or "packages"."summary" ?& array['zh-CN', 'en-US']) and ("packages"."rights" is null or "packages"."rights" ?& array['zh-CN', 'en-US']) and ("packages"."badge" is null or "packages"."badge" ?& array['zh-CN', 'en-US'])),
	CONSTRAINT "packages_level" CHECK ("packages"."level" between 1 and 3),
	CONSTRAINT "packages_days" CHECK ("packages"."days" between 1 and 3660),
	CONSTRAINT "packages_price" CHECK ("packages"."price_fen" > 0 and "packages"."pay_fen" > 0),
	CONSTRAINT "packages_stock" CHECK ("packages"."stock" >= 0),
	CONSTRAINT "packages_limit" CHECK ("packages"."limit_per_member" between 1 and 99)
);
--> statement-breakpoint
CREATE TABLE "pay_codes" (
	"order_sn" text PRIMARY KEY NOT NULL,
	"mode" text NOT NULL,
	"image" text NOT NULL,
	"cashier" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "pay_codes_cashier_unique" UNIQUE("cashier"),
	CONSTRAINT "pay_codes_mode_known" CHECK ("pay_codes"."mode" in ('wxacode', 'sandbox')),
	CONSTRAINT "pay_codes_cashier" CHECK (("pay_codes"."mode" = 'sandbox') = ("pay_codes"."cashier" is not null))
);
--> statement-breakpoint
CREATE TABLE "payment_notices" (
	"provider" text NOT NULL,
	"notice_id" text NOT NULL,
	"order_sn" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_notices_provider_notice_id_pk" PRIMARY KEY("provider","notice_id"),
	CONSTRAINT "payment_notices_provider_known" CHECK ("payment_notices"."provider" in ('sandbox', 'wechat'))
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"order_sn" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"transaction_id" text NOT NULL,
	"pay_fen" integer NOT NULL,
	"paid_at" timestamp (3) with time zone NOT NULL,
	"refunded_at" timestamp (3) with time zone,
	CONSTRAINT "payments_transaction_id_unique" UNIQUE("transaction_id"),
	CONSTRAINT "payments_provider_known" CHECK ("payments"."provider" in ('sandbox', 'wechat')),
	CONSTRAINT "payments_pay" CHECK ("payments"."pay_fen" > 0)
);
--> statement-breakpoint
CREATE TABLE "login_codes" (
	"subject" text PRIMARY KEY NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"digest" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "login_codes_id_unique" UNIQUE("id"),
	CONSTRAINT "login_codes_tries" CHECK ("login_codes"."tries" >= 0),
	CONSTRAINT "login_codes_order_of_times" CHECK ("login_codes"."expires_at" > "login_codes"."created_at")
);
--> statement-breakpoint
CREATE TABLE "send_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "send_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"subject" text NOT NULL,
	"network" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_hash" text NOT NULL,
	"member_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sessions_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "activity_bookings" ADD CONSTRAINT "activity_bookings_activity_uid_activities_uid_fk" FOREIGN KEY ("activity_uid") REFERENCES "public"."activities"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity_bookings" ADD CONSTRAINT "activity_bookings_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_campaign_uid_stop_stops_campaign_uid_stop_fk" FOREIGN KEY ("campaign_uid","stop") REFERENCES "public"."stops"("campaign_uid","stop") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stops" ADD CONSTRAINT "stops_campaign_uid_campaigns_uid_fk" FOREIGN KEY ("campaign_uid") REFERENCES "public"."campaigns"("uid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "concert_plans" ADD CONSTRAINT "concert_plans_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "concert_plans" ADD CONSTRAINT "concert_plans_concert_id_concerts_id_fk" FOREIGN KEY ("concert_id") REFERENCES "public"."concerts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skus" ADD CONSTRAINT "skus_goods_uid_goods_uid_fk" FOREIGN KEY ("goods_uid") REFERENCES "public"."goods"("uid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_package_uid_packages_uid_fk" FOREIGN KEY ("package_uid") REFERENCES "public"."packages"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_order_sn_orders_order_sn_fk" FOREIGN KEY ("order_sn") REFERENCES "public"."orders"("order_sn") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_requests" ADD CONSTRAINT "order_requests_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_requests" ADD CONSTRAINT "order_requests_order_sn_orders_order_sn_fk" FOREIGN KEY ("order_sn") REFERENCES "public"."orders"("order_sn") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pay_codes" ADD CONSTRAINT "pay_codes_order_sn_orders_order_sn_fk" FOREIGN KEY ("order_sn") REFERENCES "public"."orders"("order_sn") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_sn_orders_order_sn_fk" FOREIGN KEY ("order_sn") REFERENCES "public"."orders"("order_sn") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "addresses_member" ON "addresses" USING btree ("member_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "addresses_one_default" ON "addresses" USING btree ("member_id") WHERE "addresses"."is_default";--> statement-breakpoint
CREATE UNIQUE INDEX "bookings_one_per_member" ON "bookings" USING btree ("member_id","campaign_uid");--> statement-breakpoint
CREATE INDEX "skus_goods" ON "skus" USING btree ("goods_uid","position");--> statement-breakpoint
CREATE UNIQUE INDEX "skus_one_per_combination" ON "skus" USING btree ("goods_uid","values");--> statement-breakpoint
CREATE INDEX "order_lines_uid" ON "order_lines" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "order_requests_created" ON "order_requests" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "orders_member" ON "orders" USING btree ("member_id","kind","created_at");--> statement-breakpoint
CREATE INDEX "orders_unpaid" ON "orders" USING btree ("pay_expire_at") WHERE "orders"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "login_codes_expires" ON "login_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "send_log_subject" ON "send_log" USING btree ("subject","at");--> statement-breakpoint
CREATE INDEX "send_log_network" ON "send_log" USING btree ("network","at");--> statement-breakpoint
CREATE INDEX "send_log_at" ON "send_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "sessions_member" ON "sessions" USING btree ("member_id");--> statement-breakpoint
CREATE INDEX "sessions_expires" ON "sessions" USING btree ("expires_at");