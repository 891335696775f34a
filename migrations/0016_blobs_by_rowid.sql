-- Blobs of some kilobytes belong in tables with a rowid: in one without, each comparison of a key on the way
-- down reads the whole row. What was in them is made again: by the job that seals chunks.
DROP TABLE trace_filters;
--> statement-breakpoint
CREATE TABLE trace_filters (
  project INTEGER NOT NULL REFERENCES projects (no),
  chunk INTEGER NOT NULL,
  bits BLOB NOT NULL,
  PRIMARY KEY (project, chunk)
);
--> statement-breakpoint
DROP TABLE user_days;
--> statement-breakpoint
-- Sums per user and day of the chunks that are sealed, and the same of eight days together: the users whose
-- number divided by 512 is `page`, in columns (user-page.ts). They outlive the rows.
CREATE TABLE user_days (
  project INTEGER NOT NULL REFERENCES projects (no),
  page INTEGER NOT NULL,
  span INTEGER NOT NULL,                -- days: 1, or 8 from a multiple of 8 on
  day INTEGER NOT NULL,                 -- the first: ts / 86400000
  sums BLOB NOT NULL,
  PRIMARY KEY (project, page, span, day)
);
--> statement-breakpoint
DROP TABLE session_chunks;
--> statement-breakpoint
-- When the sessions of a sealed chunk have events (session-postings.ts), and a Bloom filter of the sessions.
CREATE TABLE session_chunks (
  project INTEGER NOT NULL REFERENCES projects (no),
  chunk INTEGER NOT NULL,
  bits BLOB NOT NULL,
  postings BLOB NOT NULL,
  PRIMARY KEY (project, chunk)
);
--> statement-breakpoint
DELETE FROM chunk_seals;
