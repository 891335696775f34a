CREATE TABLE `scheduled_report_mails` (
	`organization_id` text NOT NULL,
	`run_id` text NOT NULL,
	`user_id` text NOT NULL,
	`status` text NOT NULL,
	`error` text,
	`finished_at` integer,
	PRIMARY KEY(`run_id`, `user_id`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`run_id`) REFERENCES `scheduled_report_runs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `scheduled_report_mails_organization` ON `scheduled_report_mails` (`organization_id`);--> statement-breakpoint
CREATE TABLE `scheduled_report_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text,
	`report_id` text NOT NULL,
	`trigger` text NOT NULL,
	`period_start` integer NOT NULL,
	`period_end` integer NOT NULL,
	`figures` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`report_id`) REFERENCES `scheduled_reports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scheduled_report_runs_once` ON `scheduled_report_runs` (`report_id`,`period_start`,`period_end`) WHERE "trigger" = 'schedule';--> statement-breakpoint
CREATE INDEX `scheduled_report_runs_newest` ON `scheduled_report_runs` (`report_id`,`id`);--> statement-breakpoint
CREATE INDEX `scheduled_report_runs_organization` ON `scheduled_report_runs` (`organization_id`);--> statement-breakpoint
CREATE TABLE `scheduled_report_unsubscribes` (
	`organization_id` text NOT NULL,
	`report_id` text NOT NULL,
	`user_id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`report_id`, `user_id`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`report_id`) REFERENCES `scheduled_reports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `scheduled_report_unsubscribes_organization` ON `scheduled_report_unsubscribes` (`organization_id`);--> statement-breakpoint
CREATE TABLE `scheduled_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text,
	`name` text NOT NULL,
	`period` text NOT NULL,
	`day` integer NOT NULL,
	`hour` integer NOT NULL,
	`time_zone` text NOT NULL,
	`environment` text,
	`group_by` text NOT NULL,
	`member_ids` text NOT NULL,
	`channel_ids` text NOT NULL,
	`paused` integer NOT NULL,
	`next_at` integer NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scheduled_reports_name` ON `scheduled_reports` (`organization_id`,`name`);--> statement-breakpoint
CREATE INDEX `scheduled_reports_due` ON `scheduled_reports` (`next_at`) WHERE paused = 0;