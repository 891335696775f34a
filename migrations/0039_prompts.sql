CREATE TABLE `prompt_label_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`prompt_id` text NOT NULL,
	`project_id` text NOT NULL,
	`label` text NOT NULL,
	`previous` text,
	`versions` text,
	`changed_by` text NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `prompt_label_changes_prompt` ON `prompt_label_changes` (`project_id`,`prompt_id`,`changed_at`);--> statement-breakpoint
CREATE TABLE `prompt_labels` (
	`prompt_id` text NOT NULL,
	`project_id` text NOT NULL,
	`label` text NOT NULL,
	`versions` text NOT NULL,
	`updated_by` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`prompt_id`, `label`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `prompt_labels_project` ON `prompt_labels` (`project_id`,`prompt_id`,`label`);--> statement-breakpoint
CREATE TABLE `prompt_settings` (
	`project_id` text PRIMARY KEY NOT NULL,
	`protected_labels` text NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `prompt_versions` (
	`prompt_id` text NOT NULL,
	`project_id` text NOT NULL,
	`version` integer NOT NULL,
	`template` text,
	`messages` text,
	`config` text NOT NULL,
	`variables` text NOT NULL,
	`includes` text NOT NULL,
	`message` text NOT NULL,
	`bytes` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`prompt_id`, `version`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `prompt_versions_project` ON `prompt_versions` (`project_id`,`prompt_id`,`version`);--> statement-breakpoint
CREATE TABLE `prompts` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`description` text NOT NULL,
	`tags` text NOT NULL,
	`last_version` integer NOT NULL,
	`bytes` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `prompts_name` ON `prompts` (`project_id`,`name`);