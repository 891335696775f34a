-- Refused lines that were deleted before their 7 days were over, because a project had too many.
CREATE TABLE quarantine_drops (
  project INTEGER PRIMARY KEY NOT NULL REFERENCES projects (no),
  lines INTEGER NOT NULL,
  since INTEGER NOT NULL,               -- the first of them
  last_at INTEGER NOT NULL              -- the last; the row expires 7 days later
);
