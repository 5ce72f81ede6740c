ALTER TABLE "login_codes" ADD COLUMN "network" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "login_codes" ADD COLUMN "tries_elsewhere" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "send_log" ADD COLUMN "net_56" text;--> statement-breakpoint
ALTER TABLE "send_log" ADD COLUMN "net_48" text;--> statement-breakpoint
CREATE INDEX "send_log_net_56" ON "send_log" USING btree ("net_56","at");--> statement-breakpoint
CREATE INDEX "send_log_net_48" ON "send_log" USING btree ("net_48","at");--> statement-breakpoint
ALTER TABLE "login_codes" ADD CONSTRAINT "login_codes_tries_elsewhere" CHECK ("login_codes"."tries_elsewhere" >= 0);