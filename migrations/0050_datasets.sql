CREATE TABLE `dataset_items` (
	`dataset_id` text NOT NULL,
	`project` integer NOT NULL,
	`no` integer NOT NULL,
	`from_version` integer NOT NULL,
	`to_version` integer,
	`id` text NOT NULL,
	`input` text NOT NULL,
	`expected` text,
	`metadata` text,
	`split` text,
	`user_id` text,
	`source_trace_id` text,
	`source_span_id` text,
	`bytes` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`dataset_id`, `no`, `from_version`),
	FOREIGN KEY (`project`) REFERENCES `projects`(`no`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dataset_items_id` ON `dataset_items` (`dataset_id`,`id`,`from_version`);--> statement-breakpoint
CREATE INDEX `dataset_items_split` ON `dataset_items` (`dataset_id`,`to_version`,`split`,`no`);--> statement-breakpoint
CREATE INDEX `dataset_items_user` ON `dataset_items` (`project`,`user_id`);--> statement-breakpoint
CREATE TABLE `dataset_versions` (
	`dataset_id` text NOT NULL,
	`project_id` text NOT NULL,
	`version` integer NOT NULL,
	`added` integer NOT NULL,
	`changed` integer NOT NULL,
	`removed` integer NOT NULL,
	`message` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`dataset_id`, `version`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `dataset_versions_project` ON `dataset_versions` (`project_id`,`dataset_id`,`version`);--> statement-breakpoint
CREATE TABLE `datasets` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`version` integer NOT NULL,
	`last_no` integer NOT NULL,
	`rows` integer NOT NULL,
	`bytes` integer NOT NULL,
	`busy` text,
	`busy_at` integer,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `datasets_name` ON `datasets` (`project_id`,`name`);--> statement-breakpoint
CREATE INDEX `datasets_busy` ON `datasets` (`busy`);--> statement-breakpoint
CREATE TABLE `experiment_runs` (
	`experiment_id` text NOT NULL,
	`project` integer NOT NULL,
	`no` integer NOT NULL,
	`repetition` integer NOT NULL,
	`item_id` text NOT NULL,
	`state` text NOT NULL,
	`round` integer DEFAULT 0 NOT NULL,
	`output` text,
	`error` text,
	`trace_id` text,
	`event_id` text,
	`latency_ms` real,
	`cost_nano` integer,
	`user_id` text,
	`ended_at` integer,
	PRIMARY KEY(`experiment_id`, `no`, `repetition`),
	FOREIGN KEY (`project`) REFERENCES `projects`(`no`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `experiment_runs_item` ON `experiment_runs` (`experiment_id`,`item_id`,`repetition`);--> statement-breakpoint
CREATE INDEX `experiment_runs_state` ON `experiment_runs` (`experiment_id`,`state`,`no`,`repetition`);--> statement-breakpoint
CREATE INDEX `experiment_runs_user` ON `experiment_runs` (`project`,`user_id`);--> statement-breakpoint
CREATE TABLE `experiment_scores` (
	`experiment_id` text NOT NULL,
	`project` integer NOT NULL,
	`no` integer NOT NULL,
	`repetition` integer NOT NULL,
	`name` text NOT NULL,
	`item_id` text NOT NULL,
	`value` real,
	`comment` text,
	`error` text,
	`event_id` text,
	`cost_nano` integer,
	`user_id` text,
	PRIMARY KEY(`experiment_id`, `no`, `repetition`, `name`),
	FOREIGN KEY (`project`) REFERENCES `projects`(`no`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `experiment_scores_name` ON `experiment_scores` (`experiment_id`,`name`,`item_id`);--> statement-breakpoint
CREATE INDEX `experiment_scores_user` ON `experiment_scores` (`project`,`user_id`);--> statement-breakpoint
CREATE TABLE `experiments` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`run_id` text,
	`dataset_id` text NOT NULL,
	`dataset_version` integer NOT NULL,
	`split` text,
	`task` text NOT NULL,
	`evaluators` text NOT NULL,
	`repetitions` integer NOT NULL,
	`concurrency` integer NOT NULL,
	`max_cost_nano` integer,
	`baseline_id` text,
	`status` text NOT NULL,
	`error` text,
	`planned` integer NOT NULL,
	`prepared_no` integer NOT NULL,
	`summary` text,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `experiments_run` ON `experiments` (`project_id`,`run_id`);--> statement-breakpoint
CREATE INDEX `experiments_status` ON `experiments` (`status`);--> statement-breakpoint
CREATE INDEX `experiments_dataset` ON `experiments` (`project_id`,`dataset_id`,`created_at`);