CREATE TABLE `alert_groups` (
	`alert_id` text NOT NULL,
	`project_id` text NOT NULL,
	`group_key` text NOT NULL,
	`user_id` text,
	`state` text NOT NULL,
	`since` integer NOT NULL,
	`value` real,
	`threshold` real,
	`baseline` real,
	`reason` text,
	`told` text NOT NULL,
	`told_at` integer,
	`trail` text NOT NULL,
	PRIMARY KEY(`alert_id`, `group_key`),
	FOREIGN KEY (`alert_id`) REFERENCES `alerts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `alert_groups_project` ON `alert_groups` (`project_id`);--> statement-breakpoint
CREATE TABLE `alert_history` (
	`id` text PRIMARY KEY NOT NULL,
	`alert_id` text NOT NULL,
	`project_id` text NOT NULL,
	`group_key` text NOT NULL,
	`user_id` text,
	`at` integer NOT NULL,
	`recorded_at` integer NOT NULL,
	`from_state` text NOT NULL,
	`to_state` text NOT NULL,
	`value` real,
	`threshold` real,
	`baseline` real,
	`reason` text,
	`notified` text NOT NULL,
	`superseded_at` integer,
	FOREIGN KEY (`alert_id`) REFERENCES `alerts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `alert_history_alert` ON `alert_history` (`alert_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `alert_history_project` ON `alert_history` (`project_id`,`at`);--> statement-breakpoint
CREATE TABLE `alert_progress` (
	`project_id` text PRIMARY KEY NOT NULL,
	`judged_to` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`enabled` integer NOT NULL,
	`rule` text NOT NULL,
	`channel_ids` text NOT NULL,
	`opens_incident` integer NOT NULL,
	`version` integer NOT NULL,
	`state` text NOT NULL,
	`value` real,
	`worst_group` text,
	`groups` text NOT NULL,
	`evaluated_at` integer,
	`error` text,
	`error_since` integer,
	`error_told` integer DEFAULT false NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alerts_name` ON `alerts` (`project_id`,`name`);--> statement-breakpoint
CREATE TABLE `silences` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`alert_id` text,
	`group_key` text,
	`until` integer NOT NULL,
	`reason` text NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`alert_id`) REFERENCES `alerts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `silences_project` ON `silences` (`project_id`,`until`);--> statement-breakpoint
CREATE TABLE `unpriced_notices` (
	`organization_id` text NOT NULL,
	`model` text NOT NULL,
	`told_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `model`)
);
