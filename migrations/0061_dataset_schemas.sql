ALTER TABLE `datasets` ADD `input_schema` text;--> statement-breakpoint
ALTER TABLE `datasets` ADD `expected_schema` text;