-- What the events of a segment say about runs of agents, in columns: derived from the segment, and usable while its
-- version and flips are the same.
CREATE TABLE event_segment_runs (
  id INTEGER PRIMARY KEY,               -- event_segments.no
  project INTEGER NOT NULL REFERENCES projects (no),
  version INTEGER NOT NULL,             -- event_segments.version of then
  flips TEXT,                           -- event_segment_flips.places of then
  data BLOB NOT NULL
);
