CREATE TABLE `default_views` (
	`project_id` text NOT NULL,
	`user_id` text NOT NULL,
	`page` text NOT NULL,
	`view_id` text NOT NULL,
	PRIMARY KEY(`project_id`, `user_id`, `page`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`view_id`) REFERENCES `saved_views`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `default_views_view` ON `default_views` (`view_id`);