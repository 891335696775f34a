CREATE TABLE `reconciliations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`month` text NOT NULL,
	`name` text NOT NULL,
	`note` text NOT NULL,
	`layout` text NOT NULL,
	`from_day` text NOT NULL,
	`to_day` text NOT NULL,
	`invoice_nano` integer,
	`books_nano` integer,
	`drift_nano` integer,
	`lines` integer NOT NULL,
	`differing` integer NOT NULL,
	`result` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `reconciliations_month` ON `reconciliations` (`project_id`,`month`);