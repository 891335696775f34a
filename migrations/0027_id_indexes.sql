-- Which of many segments may have an event or trace id (stores/sqlite/id-index). Derived from the segments by the job
-- events.index_ids. `ready` is 0 until all pages are stored, and before an index is deleted.
CREATE TABLE event_id_indexes (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL REFERENCES projects (no),
  ready INTEGER NOT NULL,
  segments TEXT NOT NULL,               -- JSON: numbers of event_segments
  trace_id_pages INTEGER NOT NULL,      -- number of pages for trace ids
  event_id_pages INTEGER NOT NULL       -- and for event ids
);
--> statement-breakpoint
CREATE INDEX event_id_indexes_project ON event_id_indexes (project);
--> statement-breakpoint
CREATE TABLE event_id_pages (
  id INTEGER PRIMARY KEY,               -- event_id_indexes.no * 4096, plus 2048 for event ids, plus number of the page
  project INTEGER NOT NULL REFERENCES projects (no),
  data BLOB NOT NULL
);
--> statement-breakpoint
CREATE INDEX event_id_pages_project ON event_id_pages (project);
