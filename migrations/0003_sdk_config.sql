ALTER TABLE `projects` ADD `flush_interval_ms` integer DEFAULT 5000 NOT NULL;--> statement-breakpoint
ALTER TABLE `projects` ADD `max_batch_size` integer DEFAULT 100 NOT NULL;