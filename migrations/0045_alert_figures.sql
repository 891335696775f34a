CREATE TABLE `alert_figures` (
	`project_id` text PRIMARY KEY NOT NULL,
	`figures` text NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `outbox` ADD `order_key` text;--> statement-breakpoint
CREATE INDEX `outbox_order` ON `outbox` (`order_key`,`id`) WHERE failed_at IS NULL AND order_key IS NOT NULL;--> statement-breakpoint
ALTER TABLE `alerts` ADD `trend` text;--> statement-breakpoint
ALTER TABLE `alerts` DROP COLUMN `value`;--> statement-breakpoint
ALTER TABLE `alerts` DROP COLUMN `worst_group`;--> statement-breakpoint
CREATE INDEX `deliveries_order` ON `deliveries` (`channel_id`,(message ->> '$.subject')) WHERE status = 'pending';