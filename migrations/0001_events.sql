-- The event store. One row per event, clustered by its key: the key is the order of reading, the time
-- index, the cursor and the guard against counting twice.
CREATE TABLE events (
  project INTEGER NOT NULL REFERENCES projects (no),
  ts INTEGER NOT NULL,                  -- epoch milliseconds
  event_id BLOB NOT NULL,               -- the UUID's 16 bytes
  trace_id NOT NULL,                    -- 16 bytes for 32 hex digits, else text
  span_id NOT NULL,                     -- 8 bytes for 16 hex digits, else text
  parent_span_id,
  kind INTEGER NOT NULL,                -- index in EVENT_KINDS
  is_call INTEGER NOT NULL,             -- 1: counts as one call, its cost as money
  status INTEGER NOT NULL,              -- index in EVENT_STATUSES
  stream INTEGER NOT NULL,
  provider TEXT,
  model TEXT,
  environment TEXT NOT NULL,
  operation TEXT NOT NULL,
  user_id TEXT,
  session_id TEXT,
  error_code TEXT,
  latency_ms REAL,
  ttft_ms REAL,
  fresh_tokens INTEGER NOT NULL,        -- disjoint buckets: these six never overlap
  cache_read_tokens INTEGER NOT NULL,
  cache_write_tokens INTEGER NOT NULL,  -- 5-minute cache
  cache_write_1h_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  cost_nano INTEGER,                    -- nano-dollars; null: unpriced, or not a call
  cost_status INTEGER,                  -- index in COST_STATUSES; null: not a call
  chunk INTEGER NOT NULL,               -- number of its event_chunks entry: the order of arrival, coarsely
  shape INTEGER,                        -- event_shapes.id
  detail TEXT,                          -- JSON: what is shown but never searched
  PRIMARY KEY (project, ts, event_id)
) WITHOUT ROWID;
--> statement-breakpoint
-- By chunk first: trace and user ids come in no order, and an index of them alone would dirty a page for
-- every row. A look-up asks each chunk.
CREATE INDEX events_trace ON events (project, chunk, trace_id);
--> statement-breakpoint
CREATE INDEX events_user ON events (project, chunk, user_id, is_call, kind) WHERE user_id IS NOT NULL;
--> statement-breakpoint
-- Stretches of some thousand events of a project in the order of their arrival, and the times they span.
CREATE TABLE event_chunks (
  project INTEGER NOT NULL REFERENCES projects (no),
  chunk INTEGER NOT NULL,
  events INTEGER NOT NULL,
  first_ts INTEGER NOT NULL,
  last_ts INTEGER NOT NULL,
  PRIMARY KEY (project, chunk)
) WITHOUT ROWID;
--> statement-breakpoint
-- What many events have in common (release, prompt, tags …), kept once.
CREATE TABLE event_shapes (
  id INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects (no),
  json TEXT NOT NULL,
  UNIQUE (project, json)
);
--> statement-breakpoint
CREATE INDEX events_failed ON events (project, ts) WHERE status <> 0 AND is_call = 1;
--> statement-breakpoint
-- Sums per hour, written in the transaction that writes the rows; they outlive the rows.
CREATE TABLE rollup_hours (
  project INTEGER NOT NULL REFERENCES projects (no),
  hour INTEGER NOT NULL,                -- ts / 3600000
  kind INTEGER NOT NULL,
  is_call INTEGER NOT NULL,
  status INTEGER NOT NULL,
  provider TEXT NOT NULL,               -- '' where the event has none
  model TEXT NOT NULL,
  environment TEXT NOT NULL,
  error_code TEXT NOT NULL,
  requests INTEGER NOT NULL,
  cost_nano INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  fresh_tokens INTEGER NOT NULL,
  cache_read_tokens INTEGER NOT NULL,
  cache_write_tokens INTEGER NOT NULL,  -- 5-minute and 1-hour cache together
  output_tokens INTEGER NOT NULL,       -- reasoning included
  reasoning_tokens INTEGER NOT NULL,
  latency_us INTEGER NOT NULL,
  latency_count INTEGER NOT NULL,
  ttft_us INTEGER NOT NULL,
  ttft_count INTEGER NOT NULL,
  generation_us INTEGER NOT NULL,       -- latency less TTFT, over calls with output
  generation_tokens INTEGER NOT NULL,
  latency_sketch BLOB,
  PRIMARY KEY (project, hour, kind, is_call, status, provider, model, environment, error_code)
) WITHOUT ROWID;
--> statement-breakpoint
-- The same per day, so that a month is read as 30 days and not as 720 hours.
CREATE TABLE rollup_days (
  project INTEGER NOT NULL REFERENCES projects (no),
  day INTEGER NOT NULL,                 -- ts / 86400000
  kind INTEGER NOT NULL,
  is_call INTEGER NOT NULL,
  status INTEGER NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  environment TEXT NOT NULL,
  error_code TEXT NOT NULL,
  requests INTEGER NOT NULL,
  cost_nano INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  fresh_tokens INTEGER NOT NULL,
  cache_read_tokens INTEGER NOT NULL,
  cache_write_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  latency_us INTEGER NOT NULL,
  latency_count INTEGER NOT NULL,
  ttft_us INTEGER NOT NULL,
  ttft_count INTEGER NOT NULL,
  generation_us INTEGER NOT NULL,
  generation_tokens INTEGER NOT NULL,
  latency_sketch BLOB,
  PRIMARY KEY (project, day, kind, is_call, status, provider, model, environment, error_code)
) WITHOUT ROWID;
--> statement-breakpoint
-- Events counted against the quota, by month of receipt.
CREATE TABLE usage_months (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  month TEXT NOT NULL,                  -- YYYY-MM
  events INTEGER NOT NULL,
  PRIMARY KEY (organization_id, month)
) WITHOUT ROWID;
--> statement-breakpoint
-- When an event without a timestamp of its own was first received, so that a retry is the same event.
CREATE TABLE undated_events (
  project INTEGER NOT NULL REFERENCES projects (no),
  event_id BLOB NOT NULL,
  ts INTEGER NOT NULL,
  PRIMARY KEY (project, event_id)
) WITHOUT ROWID;
--> statement-breakpoint
-- Events that were refused, kept for 7 days to be corrected and replayed.
CREATE TABLE quarantined_events (
  id TEXT PRIMARY KEY NOT NULL,
  project INTEGER NOT NULL REFERENCES projects (no),
  received_at INTEGER NOT NULL,
  line INTEGER NOT NULL,
  error TEXT NOT NULL,
  body TEXT                             -- redacted; null where it could not be read as JSON
);
--> statement-breakpoint
CREATE INDEX quarantined_events_time ON quarantined_events (project, received_at);
