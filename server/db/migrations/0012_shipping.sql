CREATE TABLE "carriers" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "daily_answers" (
	"name" text PRIMARY KEY NOT NULL,
	"answer" text,
	"answered_at" timestamp (3) with time zone,
	"failure" text,
	"next_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shipping_reports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "shipping_reports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_sn" text NOT NULL,
	"trade_no" text NOT NULL,
	"kind" text NOT NULL,
	"carrier_id" text,
	"carrier" text,
	"tracking" text,
	"item_desc" text NOT NULL,
	"contact" text,
	"ships_at" timestamp (3) with time zone,
	"state" text DEFAULT 'due' NOT NULL,
	"correction" boolean DEFAULT false NOT NULL,
	"errcode" integer,
	"words" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"handled_at" timestamp (3) with time zone,
	CONSTRAINT "shipping_reports_kind_known" CHECK ("shipping_reports"."kind" in ('express', 'by_hand', 'virtual', 'presale')),
	CONSTRAINT "shipping_reports_state_known" CHECK ("shipping_reports"."state" in ('due', 'sent', 'accepted', 'refused', 'change_by_hand', 'not_needed', 'void')),
	CONSTRAINT "shipping_reports_parcel" CHECK (("shipping_reports"."kind" = 'express') = ("shipping_reports"."tracking" is not null)),
	CONSTRAINT "shipping_reports_presale" CHECK (("shipping_reports"."kind" = 'presale') = ("shipping_reports"."ships_at" is not null)),
	CONSTRAINT "shipping_reports_ended" CHECK (("shipping_reports"."state" in ('due', 'sent')) = ("shipping_reports"."ended_at" is null)),
	CONSTRAINT "shipping_reports_next" CHECK (("shipping_reports"."ended_at" is null) = ("shipping_reports"."next_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "goods" ADD COLUMN "ships_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "ships_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "by_hand" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "shipping_reports" ADD CONSTRAINT "shipping_reports_order_sn_orders_order_sn_fk" FOREIGN KEY ("order_sn") REFERENCES "public"."orders"("order_sn") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shipping_reports_order" ON "shipping_reports" USING btree ("order_sn");--> statement-breakpoint
CREATE INDEX "shipping_reports_next_at" ON "shipping_reports" USING btree ("next_at") WHERE "shipping_reports"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "shipping_reports_open" ON "shipping_reports" USING btree ("due_at") WHERE "shipping_reports"."handled_at" is null;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_by_hand" CHECK (not "orders"."by_hand" or ("orders"."carrier" is null and "orders"."tracking" is null));