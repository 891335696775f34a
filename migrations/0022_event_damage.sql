-- `event_segments.ready` is 2 for a segment with a blob that can't be read, and 3 after its blobs were given up: then
-- only its row is left, so that no figure over its time passes as complete.
CREATE INDEX event_segments_damaged ON event_segments (project, last_ts) WHERE ready > 1;
--> statement-breakpoint
-- Batches of the log that can't be decoded: the row of event_log and its places in event_log_flips. `lost` is 1 after
-- the bytes were given up.
CREATE TABLE event_log_damaged (
  seq INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects (no),
  at INTEGER NOT NULL,                  -- when it was found, epoch milliseconds
  reason TEXT NOT NULL,
  lost INTEGER NOT NULL DEFAULT 0,
  flips TEXT,
  events INTEGER NOT NULL,
  first_ts INTEGER NOT NULL,
  last_ts INTEGER NOT NULL,
  labels TEXT NOT NULL,
  dropped BLOB,
  ids BLOB NOT NULL,
  pack BLOB NOT NULL
);
--> statement-breakpoint
CREATE INDEX event_log_damaged_project ON event_log_damaged (project, last_ts);
