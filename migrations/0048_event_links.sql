-- Where an event is in the graph of agents and tools: JSON of what it calls, its caller, the outermost agent, whether it
-- stands for the run, release, environment, prompt, version of the prompt and provider. Events refer to it by number.
CREATE TABLE event_links (
  id INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects (no),
  json TEXT NOT NULL,
  UNIQUE (project, json)
);
--> statement-breakpoint
-- The links of an unsealed batch by place, 0 for an event without one. They change when a span above arrives later.
CREATE TABLE event_log_links (
  seq INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects (no),
  links TEXT NOT NULL                   -- JSON array of numbers
);
--> statement-breakpoint
-- Sums of sealed events by link, as the other roll-ups: they outlive the events.
CREATE TABLE rollup_links (
  project INTEGER NOT NULL REFERENCES projects (no),
  day INTEGER NOT NULL,                 -- ts / 86400000
  link INTEGER NOT NULL,                -- event_links.id
  requests INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  cost_nano INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  latency_us INTEGER NOT NULL,
  latency_count INTEGER NOT NULL,
  latency_sketch BLOB NOT NULL,
  PRIMARY KEY (project, day, link)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE rollup_link_hours (
  project INTEGER NOT NULL REFERENCES projects (no),
  hour INTEGER NOT NULL,                -- ts / 3600000
  link INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  cost_nano INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  latency_us INTEGER NOT NULL,
  latency_count INTEGER NOT NULL,
  latency_sketch BLOB NOT NULL,
  PRIMARY KEY (project, hour, link)
) WITHOUT ROWID;
