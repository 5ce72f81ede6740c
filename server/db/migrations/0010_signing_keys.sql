CREATE TABLE "signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_key" jsonb NOT NULL,
	"private_key" text NOT NULL,
	"signs_from" timestamp (3) with time zone NOT NULL,
	"signs_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "signing_keys_order_of_times" CHECK ("signing_keys"."signs_until" > "signing_keys"."signs_from")
);
