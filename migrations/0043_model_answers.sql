CREATE TABLE `model_answers` (
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`key` text NOT NULL,
	`attempt` integer NOT NULL,
	`event_id` text NOT NULL,
	`started_at` integer NOT NULL,
	`answer` text,
	PRIMARY KEY(`project_id`, `key`),
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
