-- Which event ids a sealed chunk may hold: a Bloom filter of two bytes an event, so that an event is found by
-- its id alone. Chunks that are sealed already get theirs by the job that seals; their sums stay, because the rows
-- of many are gone.
CREATE TABLE event_filters (
  project INTEGER NOT NULL REFERENCES projects (no),
  chunk INTEGER NOT NULL,
  bits BLOB NOT NULL,
  PRIMARY KEY (project, chunk)
);
