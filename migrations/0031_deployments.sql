CREATE TABLE `deployments` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`environment` text NOT NULL,
	`release` text NOT NULL,
	`at` integer NOT NULL,
	`source` text NOT NULL,
	`first_event_at` integer,
	`last_event_at` integer,
	`commit_sha` text,
	`url` text,
	`title` text,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deployments_release` ON `deployments` (`project_id`,`environment`,`release`);--> statement-breakpoint
CREATE INDEX `deployments_time` ON `deployments` (`project_id`,`at`,`id`);--> statement-breakpoint
CREATE TABLE `skipped_releases` (
	`project_id` text PRIMARY KEY NOT NULL,
	`environment` text NOT NULL,
	`release` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
