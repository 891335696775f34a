-- Which event ids a sealed chunk may hold: a Bloom filter of two bytes an event, so that an event is found by
-- its id alone.
CREATE TABLE event_filters (
  project INTEGER NOT NULL REFERENCES projects (no),
  chunk INTEGER NOT NULL,
  bits BLOB NOT NULL,
  PRIMARY KEY (project, chunk)
);
--> statement-breakpoint
-- Sums of users have a column more now (user-page.ts). They are made again with the filters, by the job that
-- seals chunks.
DELETE FROM user_days;
--> statement-breakpoint
DELETE FROM session_chunks;
--> statement-breakpoint
DELETE FROM chunk_seals;
