CREATE TABLE `incident_settings` (
	`project_id` text PRIMARY KEY NOT NULL,
	`last_number` integer NOT NULL,
	`auto_resolve_minutes` integer,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `incidents` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`number` integer NOT NULL,
	`title` text NOT NULL,
	`severity` text NOT NULL,
	`status` text NOT NULL,
	`measure` text,
	`dimensions` text NOT NULL,
	`alerts` text NOT NULL,
	`timeline` text NOT NULL,
	`channel_ids` text NOT NULL,
	`notes` text NOT NULL,
	`assignee_id` text,
	`merged_into` text,
	`started_at` integer NOT NULL,
	`acknowledged_at` integer,
	`resolved_at` integer,
	`healthy_since` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `incidents_number` ON `incidents` (`project_id`,`number`);--> statement-breakpoint
CREATE INDEX `incidents_started` ON `incidents` (`project_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `incidents_updated` ON `incidents` (`project_id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `incidents_healthy` ON `incidents` (`healthy_since`);