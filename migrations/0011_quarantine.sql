-- Events that were refused, kept for 7 days to be corrected and replayed.
CREATE TABLE quarantined_events (
  id TEXT PRIMARY KEY NOT NULL,
  project INTEGER NOT NULL REFERENCES projects (no),
  received_at INTEGER NOT NULL,
  line INTEGER NOT NULL,
  error TEXT NOT NULL,
  body TEXT                             -- redacted; null where it could not be read as JSON
);
--> statement-breakpoint
CREATE INDEX quarantined_events_time ON quarantined_events (project, received_at);
