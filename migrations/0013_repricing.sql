CREATE TABLE `repricings` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`project` integer NOT NULL,
	`state` text NOT NULL,
	`request` text NOT NULL,
	`prices_version` text,
	`looked` integer DEFAULT 0 NOT NULL,
	`changes` integer DEFAULT 0 NOT NULL,
	`before_nano` integer DEFAULT 0 NOT NULL,
	`after_nano` integer DEFAULT 0 NOT NULL,
	`groups` text DEFAULT '[]' NOT NULL,
	`cursor` text,
	`applied` integer DEFAULT 0 NOT NULL,
	`applied_nano` integer DEFAULT 0 NOT NULL,
	`gone` integer DEFAULT 0 NOT NULL,
	`error` text,
	`steps` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`project`) REFERENCES `projects`(`no`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `repricings_project` ON `repricings` (`project`,`created_at`);