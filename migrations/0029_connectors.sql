CREATE TABLE `connector_states` (
	`organization_id` text NOT NULL,
	`connector` text NOT NULL,
	`attempted_at` integer NOT NULL,
	`succeeded_at` integer,
	`error` text,
	`from_day` integer,
	`to_day` integer,
	`figures` integer NOT NULL,
	`restated` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `connector`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `drift_thresholds` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`percent` real NOT NULL,
	`usd_nano` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `drift_warnings` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`connector` text NOT NULL,
	`day` text NOT NULL,
	`model` text NOT NULL,
	`provider_nano` integer NOT NULL,
	`ledger_nano` integer NOT NULL,
	`warned_at` integer NOT NULL,
	`cleared_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `drift_warnings_once` ON `drift_warnings` (`organization_id`,`connector`,`day`,`model`);--> statement-breakpoint
CREATE INDEX `drift_warnings_organization` ON `drift_warnings` (`organization_id`,`warned_at`);--> statement-breakpoint
CREATE TABLE `provider_figures` (
	`organization_id` text NOT NULL,
	`connector` text NOT NULL,
	`day` integer NOT NULL,
	`kind` text NOT NULL,
	`label` text NOT NULL,
	`currency` text NOT NULL,
	`amount_nano` integer NOT NULL,
	`calls` integer,
	`fresh` integer,
	`cache_read` integer,
	`cache_write` integer,
	`output` integer,
	`first_nano` integer,
	`restated_at` integer,
	`fetched_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `connector`, `day`, `kind`, `label`, `currency`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
