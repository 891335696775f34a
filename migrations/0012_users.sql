-- Users by number, so that sums of many of them fit in arrays. Numbered when a chunk of events is sealed.
CREATE TABLE event_users (
  project INTEGER NOT NULL REFERENCES projects (no),
  no INTEGER NOT NULL,                  -- from 0, in the order in which they were first seen
  user_id TEXT NOT NULL,
  PRIMARY KEY (project, no)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX event_users_id ON event_users (project, user_id);
--> statement-breakpoint
-- Sums per user and day of the chunks that are sealed: the users whose number divided by 512 is `page`, in
-- columns (user-page.ts). They outlive the rows.
CREATE TABLE user_days (
  project INTEGER NOT NULL REFERENCES projects (no),
  page INTEGER NOT NULL,
  day INTEGER NOT NULL,                 -- ts / 86400000
  sums BLOB NOT NULL,
  PRIMARY KEY (project, page, day)
) WITHOUT ROWID;
--> statement-breakpoint
-- When the sessions of a sealed chunk have events (session-postings.ts), and a Bloom filter of the sessions.
CREATE TABLE session_chunks (
  project INTEGER NOT NULL REFERENCES projects (no),
  chunk INTEGER NOT NULL,
  bits BLOB NOT NULL,
  postings BLOB NOT NULL,
  PRIMARY KEY (project, chunk)
) WITHOUT ROWID;
--> statement-breakpoint
-- The newest chunk of a project that is sealed: it and all before it are in user_days and session_chunks.
CREATE TABLE chunk_seals (
  project INTEGER PRIMARY KEY REFERENCES projects (no),
  chunk INTEGER NOT NULL
);
