CREATE TABLE `budget_events` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`budget_id` text NOT NULL,
	`period_start` integer NOT NULL,
	`level` integer NOT NULL,
	`limit_nano` integer NOT NULL,
	`spent_nano` integer NOT NULL,
	`unpriced` integer NOT NULL,
	`crossed_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`budget_id`) REFERENCES `budgets`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `budget_events_once` ON `budget_events` (`budget_id`,`period_start`,`level`,`limit_nano`);--> statement-breakpoint
CREATE INDEX `budget_events_organization` ON `budget_events` (`organization_id`,`crossed_at`);--> statement-breakpoint
CREATE TABLE `budgets` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`project_id` text,
	`key_id` text,
	`user_id` text,
	`tag` text,
	`value` text,
	`period` text NOT NULL,
	`limit_nano` integer NOT NULL,
	`levels` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `budgets_organization` ON `budgets` (`organization_id`);