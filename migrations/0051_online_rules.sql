CREATE TABLE `online_rule_items` (
	`rule_id` text NOT NULL,
	`trace_id` text NOT NULL,
	`project` integer NOT NULL,
	`state` text NOT NULL,
	`due_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`reason` text,
	`version` integer,
	`judged_at` integer,
	`cost_nano` integer,
	PRIMARY KEY(`rule_id`, `trace_id`),
	FOREIGN KEY (`project`) REFERENCES `projects`(`no`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `online_rule_items_due` ON `online_rule_items` (`rule_id`,`state`,`due_at`);--> statement-breakpoint
CREATE TABLE `online_rule_months` (
	`rule_id` text NOT NULL,
	`month` text NOT NULL,
	`project_id` text NOT NULL,
	`scored` integer DEFAULT 0 NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`dropped` integer DEFAULT 0 NOT NULL,
	`spent_nano` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`rule_id`, `month`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `online_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`evaluator_id` text NOT NULL,
	`filter` text NOT NULL,
	`sample_rate` real NOT NULL,
	`delay_seconds` integer NOT NULL,
	`cap_nano` integer,
	`judges_unstored` integer NOT NULL,
	`enabled` integer NOT NULL,
	`held_until` integer,
	`held_reason` text,
	`is_capped` integer DEFAULT false NOT NULL,
	`backfill_from` integer,
	`backfill_to` integer,
	`backfill_cursor` text,
	`backfill_again` integer DEFAULT false NOT NULL,
	`backfill_added` integer DEFAULT 0 NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `online_rules_name` ON `online_rules` (`project_id`,`name`);