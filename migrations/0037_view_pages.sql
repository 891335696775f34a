DROP INDEX `saved_views_name`;--> statement-breakpoint
ALTER TABLE `saved_views` ADD `page` text DEFAULT 'events' NOT NULL;--> statement-breakpoint
ALTER TABLE `saved_views` ADD `owner` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `saved_views_page_name` ON `saved_views` (`project_id`,`page`,`owner`,`name`);