CREATE TABLE `guardrail_counts` (
	`project` integer NOT NULL,
	`hour` integer NOT NULL,
	`guardrail` text NOT NULL,
	`check_kind` text NOT NULL,
	`outcome` text NOT NULL,
	`environment` text NOT NULL,
	`model` text NOT NULL,
	`user_id` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`project`, `hour`, `guardrail`, `check_kind`, `outcome`, `environment`, `model`, `user_id`),
	FOREIGN KEY (`project`) REFERENCES `projects`(`no`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `guardrail_versions` (
	`guardrail_id` text NOT NULL,
	`project_id` text NOT NULL,
	`version` integer NOT NULL,
	`stage` text NOT NULL,
	`checks` text NOT NULL,
	`failure_mode` text NOT NULL,
	`environments` text NOT NULL,
	`sample_rate` real NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`guardrail_id`, `version`),
	FOREIGN KEY (`guardrail_id`) REFERENCES `guardrails`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `guardrails` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`enabled` integer NOT NULL,
	`version` integer NOT NULL,
	`stage` text NOT NULL,
	`checks` text NOT NULL,
	`failure_mode` text NOT NULL,
	`environments` text NOT NULL,
	`sample_rate` real NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `guardrails_name` ON `guardrails` (`project_id`,`name`);