CREATE TABLE `price_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`catalogue_id` integer NOT NULL,
	`at` integer NOT NULL,
	`version` text NOT NULL,
	`provider` text NOT NULL,
	`model` text NOT NULL,
	`change` text NOT NULL,
	`rates` text NOT NULL,
	`note` text
);
--> statement-breakpoint
CREATE INDEX `price_changes_model` ON `price_changes` (`provider`,`model`);--> statement-breakpoint
ALTER TABLE `price_catalogues` ADD `version` text;--> statement-breakpoint
ALTER TABLE `price_catalogues` ADD `date` text;--> statement-breakpoint
ALTER TABLE `price_catalogues` ADD `taken_by` text;--> statement-breakpoint
ALTER TABLE `price_catalogues` ADD `key_id` text;