-- Which chunks hold OTLP spans of a trace: a Bloom filter for each, so that a new trace is not looked for.
CREATE TABLE trace_filters (
  project INTEGER NOT NULL REFERENCES projects (no),
  chunk INTEGER NOT NULL,
  bits BLOB NOT NULL,
  PRIMARY KEY (project, chunk)
) WITHOUT ROWID;
