CREATE TABLE `annotation_items` (
	`queue_id` text NOT NULL,
	`no` integer NOT NULL,
	`project` integer NOT NULL,
	`trace_id` text NOT NULL,
	`span_id` text DEFAULT '' NOT NULL,
	`about_user` text DEFAULT '' NOT NULL,
	`ends_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`queue_id`, `no`),
	FOREIGN KEY (`project`) REFERENCES `projects`(`no`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `annotation_items_target` ON `annotation_items` (`queue_id`,`trace_id`,`span_id`);--> statement-breakpoint
CREATE INDEX `annotation_items_user` ON `annotation_items` (`project`,`about_user`);--> statement-breakpoint
CREATE INDEX `annotation_items_ends` ON `annotation_items` (`project`,`ends_at`);--> statement-breakpoint
CREATE TABLE `annotation_marks` (
	`queue_id` text NOT NULL,
	`no` integer NOT NULL,
	`user_id` text NOT NULL,
	`project` integer NOT NULL,
	`state` text NOT NULL,
	`claimed_until` integer,
	`about_user` text DEFAULT '' NOT NULL,
	`ends_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`queue_id`, `no`, `user_id`),
	FOREIGN KEY (`project`) REFERENCES `projects`(`no`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `annotation_marks_person` ON `annotation_marks` (`queue_id`,`user_id`,`state`);--> statement-breakpoint
CREATE INDEX `annotation_marks_user` ON `annotation_marks` (`project`,`about_user`);--> statement-breakpoint
CREATE TABLE `annotation_queues` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`instructions` text NOT NULL,
	`score_names` text NOT NULL,
	`assignees` text NOT NULL,
	`annotators` integer NOT NULL,
	`last_no` integer DEFAULT 0 NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `annotation_queues_name` ON `annotation_queues` (`project_id`,`name`);