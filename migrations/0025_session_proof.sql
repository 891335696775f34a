ALTER TABLE `sessions` ADD `provider` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `proven_at` integer;