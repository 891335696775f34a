ALTER TABLE `alert_groups` ADD `unpriced` integer;--> statement-breakpoint
ALTER TABLE `alert_groups` ADD `calls` integer;--> statement-breakpoint
ALTER TABLE `alert_history` ADD `unpriced` integer;--> statement-breakpoint
ALTER TABLE `alert_history` ADD `calls` integer;