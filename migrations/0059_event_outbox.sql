-- What is committed here and on its way to events on another engine: inserted there until it succeeds, then removed.
-- The number of an entry orders changes, so none is used twice.
CREATE TABLE event_outbox (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL REFERENCES projects (no),
  entry BLOB NOT NULL
);
