CREATE TABLE `statement_days` (
	`project_id` text NOT NULL,
	`by` text NOT NULL,
	`day` integer NOT NULL,
	`stamp` text NOT NULL,
	`parties` text NOT NULL,
	`sums` blob NOT NULL,
	PRIMARY KEY(`project_id`, `by`, `day`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `statement_definitions` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`by` text NOT NULL,
	`settings` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `statement_definitions_by` ON `statement_definitions` (`organization_id`,`by`);--> statement-breakpoint
CREATE TABLE `statement_months` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`definition_id` text NOT NULL,
	`month` text NOT NULL,
	`closed_at` integer,
	`settings` text NOT NULL,
	`accounts` blob NOT NULL,
	`months` text NOT NULL,
	`marks` text NOT NULL,
	`statements` integer NOT NULL,
	`calls` integer NOT NULL,
	`unpriced` integer NOT NULL,
	`cost_nano` integer NOT NULL,
	`corrections_nano` integer NOT NULL,
	`total` text NOT NULL,
	`notified` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`definition_id`) REFERENCES `statement_definitions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `statement_months_once` ON `statement_months` (`definition_id`,`month`);--> statement-breakpoint
CREATE INDEX `statement_months_organization` ON `statement_months` (`organization_id`);--> statement-breakpoint
CREATE TABLE `statement_documents` (
	`month_id` text NOT NULL,
	`place` integer NOT NULL,
	`organization_id` text NOT NULL,
	`party` text NOT NULL,
	`has_corrections` integer NOT NULL,
	`summary` text NOT NULL,
	`document` blob NOT NULL,
	`sums` blob NOT NULL,
	PRIMARY KEY(`month_id`, `place`),
	FOREIGN KEY (`month_id`) REFERENCES `statement_months`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `statement_documents_party` ON `statement_documents` (`month_id`,`party`);--> statement-breakpoint
CREATE INDEX `statement_documents_organization` ON `statement_documents` (`organization_id`);--> statement-breakpoint
CREATE INDEX `statement_documents_corrections` ON `statement_documents` (`month_id`) WHERE has_corrections = 1;