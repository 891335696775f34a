CREATE TABLE `simulation_conversations` (
	`run_id` text NOT NULL,
	`project` integer NOT NULL,
	`no` integer NOT NULL,
	`place` integer NOT NULL,
	`scenario` text NOT NULL,
	`repetition` integer NOT NULL,
	`state` text NOT NULL,
	`outcome` text,
	`round` integer DEFAULT 0 NOT NULL,
	`criteria` text,
	`failure` text,
	`turns` integer DEFAULT 0 NOT NULL,
	`latency_ms` real,
	`cost_nano` integer,
	`target_cost_nano` integer,
	`unknown_costs` integer DEFAULT 0 NOT NULL,
	`ended_at` integer,
	PRIMARY KEY(`run_id`, `no`),
	FOREIGN KEY (`project`) REFERENCES `projects`(`no`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `simulation_conversations_state` ON `simulation_conversations` (`run_id`,`state`,`no`);--> statement-breakpoint
CREATE TABLE `simulation_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`simulation_id` text NOT NULL,
	`version` integer NOT NULL,
	`run_id` text,
	`seed` integer NOT NULL,
	`concurrency` integer NOT NULL,
	`max_cost_nano` integer,
	`only` text,
	`repetitions` integer,
	`prompts` text NOT NULL,
	`baseline_id` text,
	`status` text NOT NULL,
	`error` text,
	`planned` integer NOT NULL,
	`summary` text,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `simulation_runs_run` ON `simulation_runs` (`project_id`,`run_id`);--> statement-breakpoint
CREATE INDEX `simulation_runs_status` ON `simulation_runs` (`status`);--> statement-breakpoint
CREATE INDEX `simulation_runs_suite` ON `simulation_runs` (`simulation_id`,`id`);--> statement-breakpoint
CREATE TABLE `simulation_turns` (
	`run_id` text NOT NULL,
	`project` integer NOT NULL,
	`no` integer NOT NULL,
	`turn` integer NOT NULL,
	`answer` text,
	`user` text NOT NULL,
	`user_cost_nano` integer,
	`tool_calls` text,
	`latency_ms` real,
	`cost_nano` integer,
	`trace_id` text,
	`error` text,
	`verdicts` text,
	PRIMARY KEY(`run_id`, `no`, `turn`),
	FOREIGN KEY (`project`) REFERENCES `projects`(`no`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `simulation_versions` (
	`simulation_id` text NOT NULL,
	`version` integer NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`source` text NOT NULL,
	`suite` text NOT NULL,
	`message` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`simulation_id`, `version`),
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `simulation_versions_project` ON `simulation_versions` (`project_id`);--> statement-breakpoint
CREATE TABLE `simulations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`version` integer NOT NULL,
	`secrets` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `simulations_name` ON `simulations` (`project_id`,`name`);