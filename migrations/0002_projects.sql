CREATE TABLE `projects` (
	`no` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`store_prompts` integer DEFAULT false NOT NULL,
	`redact_keys` text DEFAULT '[]' NOT NULL,
	`sample_rate` real DEFAULT 1 NOT NULL,
	`flush_interval_ms` integer DEFAULT 5000 NOT NULL,
	`max_batch_size` integer DEFAULT 100 NOT NULL,
	`config_version` integer DEFAULT 1 NOT NULL,
	`environments` text DEFAULT '[]' NOT NULL,
	`retention_days` integer,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `projects_id_unique` ON `projects` (`id`);--> statement-breakpoint
CREATE INDEX `projects_organization` ON `projects` (`organization_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `projects_id_organization` ON `projects` (`id`,`organization_id`);