CREATE TABLE `score_definitions` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`description` text NOT NULL,
	`min` real,
	`max` real,
	`categories` text,
	`direction` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `score_definitions_name` ON `score_definitions` (`project_id`,`name`);--> statement-breakpoint
CREATE TABLE `scores` (
	`project` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`value` real,
	`category` text,
	`trace_id` text DEFAULT '' NOT NULL,
	`span_id` text DEFAULT '' NOT NULL,
	`target_session` text DEFAULT '' NOT NULL,
	`item_id` text DEFAULT '' NOT NULL,
	`source` text NOT NULL,
	`comment` text,
	`evaluator_id` text,
	`evaluator_version` integer,
	`judge_event_id` text,
	`created_by` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`at` integer NOT NULL,
	`next_look` integer,
	`about_user` text DEFAULT '' NOT NULL,
	`model` text,
	`provider` text,
	`environment` text,
	`release` text,
	`agent` text,
	`tool` text,
	`prompt_name` text,
	`prompt_version` text,
	`user_id` text,
	`session_id` text,
	`key_id` text,
	`status` text,
	`error_code` text,
	`finish_reason` text,
	`kind` text,
	`operation` text,
	`tags` text,
	PRIMARY KEY(`project`, `id`),
	FOREIGN KEY (`project`) REFERENCES `projects`(`no`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `scores_name` ON `scores` (`project`,`name`,`at`);--> statement-breakpoint
CREATE INDEX `scores_time` ON `scores` (`project`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `scores_trace` ON `scores` (`project`,`trace_id`);--> statement-breakpoint
CREATE INDEX `scores_session` ON `scores` (`project`,`target_session`);--> statement-breakpoint
CREATE INDEX `scores_item` ON `scores` (`project`,`item_id`);--> statement-breakpoint
CREATE INDEX `scores_next_look` ON `scores` (`next_look`);