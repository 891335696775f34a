CREATE TABLE `price_catalogues` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`taken_at` integer NOT NULL,
	`source` text NOT NULL,
	`sha256` text NOT NULL,
	`json` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `prices` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`provider` text,
	`match` text NOT NULL,
	`model` text NOT NULL,
	`rates` text NOT NULL,
	`tiers` text NOT NULL,
	`service_tier` text,
	`effective_from` integer,
	`effective_until` integer,
	`note` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `prices_organization` ON `prices` (`organization_id`);