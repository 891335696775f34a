CREATE TABLE `model_calls` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`month` text NOT NULL,
	`reserved_nano` integer NOT NULL,
	`started_at` integer NOT NULL,
	`process` text NOT NULL,
	`event` text NOT NULL,
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `model_calls_month` ON `model_calls` (`organization_id`,`month`);--> statement-breakpoint
CREATE TABLE `model_months` (
	`organization_id` text NOT NULL,
	`month` text NOT NULL,
	`calls` integer NOT NULL,
	`spent_nano` integer NOT NULL,
	`assumed_nano` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `month`)
);
