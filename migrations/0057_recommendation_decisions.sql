CREATE TABLE `recommendation_decisions` (
	`organization_id` text NOT NULL,
	`project_id` text NOT NULL,
	`recommendation_id` text NOT NULL,
	`state` text NOT NULL,
	`kind` text NOT NULL,
	`applied_as` text,
	`reason` text,
	`recommendation` text NOT NULL,
	`decided_by` text NOT NULL,
	`decided_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `recommendation_id`),
	FOREIGN KEY (`project_id`,`organization_id`) REFERENCES `projects`(`id`,`organization_id`) ON UPDATE no action ON DELETE no action
);
