-- The price by which an event was priced, whole, kept once: what became of the price list since does not matter.
CREATE TABLE event_prices (
  id INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects (no),
  json TEXT NOT NULL,                   -- AppliedPrice
  UNIQUE (project, json)
);
--> statement-breakpoint
-- What costs are told apart by beyond the roll-ups' dimensions: the project key and the tags.
CREATE TABLE event_labels (
  id INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects (no),
  json TEXT NOT NULL,                   -- [key, tags]
  UNIQUE (project, json)
);
--> statement-breakpoint
-- Null where the event has no price from a list, or came before prices were kept.
ALTER TABLE events ADD COLUMN price INTEGER;
--> statement-breakpoint
ALTER TABLE events ADD COLUMN label INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
-- Sums of calls per day and label, written with the other roll-ups.
CREATE TABLE rollup_labels (
  project INTEGER NOT NULL REFERENCES projects (no),
  day INTEGER NOT NULL,                 -- ts / 86400000
  label INTEGER NOT NULL,               -- event_labels.id; 0: from before there were labels
  requests INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  cost_nano INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,        -- cached ones included
  cache_read_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,       -- reasoning included
  PRIMARY KEY (project, day, label)
) WITHOUT ROWID;
--> statement-breakpoint
-- Events from before: with which key they came, and under which tags, is not told apart.
INSERT INTO rollup_labels
  SELECT project, day, 0, sum(requests), sum(iif(status IN (1, 2, 3), requests, 0)), sum(cost_nano), sum(unpriced),
    sum(fresh_tokens + cache_read_tokens + cache_write_tokens), sum(cache_read_tokens), sum(output_tokens)
  FROM rollup_days WHERE is_call = 1 GROUP BY project, day;
