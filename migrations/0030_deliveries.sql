CREATE TABLE `channels` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`target` text NOT NULL,
	`settings` text NOT NULL,
	`sealed` text,
	`enabled` integer NOT NULL,
	`types` text NOT NULL,
	`disabled_reason` text,
	`failing_since` integer,
	`last_delivered_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `channels_name` ON `channels` (`organization_id`,`name`);--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text,
	`user_id` text,
	`channel_id` text NOT NULL,
	`message_id` text NOT NULL,
	`type` text NOT NULL,
	`data` text NOT NULL,
	`message` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`log` text NOT NULL,
	`next_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`channel_id`,`next_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `deliveries_next` ON `deliveries` (`next_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `deliveries_organization` ON `deliveries` (`organization_id`,`id`);