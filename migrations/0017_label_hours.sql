-- The sums of labels per hour as well, for the ends of a window that are no whole days.
CREATE TABLE rollup_label_hours (
  project INTEGER NOT NULL REFERENCES projects (no),
  hour INTEGER NOT NULL,                -- ts / 3600000
  label INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  cost_nano INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  cache_read_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  PRIMARY KEY (project, hour, label)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO rollup_label_hours
  SELECT project, hour, 0, sum(requests), sum(iif(status IN (1, 2, 3), requests, 0)), sum(cost_nano), sum(unpriced),
    sum(fresh_tokens + cache_read_tokens + cache_write_tokens), sum(cache_read_tokens), sum(output_tokens)
  FROM rollup_hours WHERE is_call = 1 GROUP BY project, hour;
