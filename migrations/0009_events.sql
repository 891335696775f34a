-- What costs are broken down by beyond the roll-ups' dimensions: the project key and the tags.
CREATE TABLE event_labels (
  id INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects (no),
  json TEXT NOT NULL,                   -- [key, tags]
  UNIQUE (project, json)
);
--> statement-breakpoint
-- The price that was applied to an event, as a whole and kept once: later changes of the price list do not matter.
CREATE TABLE event_prices (
  id INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects (no),
  json TEXT NOT NULL,                   -- AppliedPrice
  UNIQUE (project, json)
);
--> statement-breakpoint
-- Users by number, so that sums of many of them fit in arrays. Numbered when a chunk of events is sealed.
CREATE TABLE event_users (
  project INTEGER NOT NULL REFERENCES projects (no),
  no INTEGER NOT NULL,                  -- from 0, in the order in which they were first seen
  user_id TEXT NOT NULL,
  PRIMARY KEY (project, no)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX event_users_id ON event_users (project, user_id);
--> statement-breakpoint
-- Sums per user and day of the chunks that are sealed, and the same of eight days together: the users whose
-- number divided by 512 is `page`, in columns (user-page.ts). They outlive the rows.
CREATE TABLE user_days (
  project INTEGER NOT NULL REFERENCES projects (no),
  page INTEGER NOT NULL,
  span INTEGER NOT NULL,                -- days: 1, or 8 from a multiple of 8 on
  day INTEGER NOT NULL,                 -- the first: ts / 86400000
  sums BLOB NOT NULL,
  PRIMARY KEY (project, page, span, day)
);
--> statement-breakpoint
-- Sums per hour, written in the transaction that writes the rows. They outlive the rows.
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
  unpriced_input_tokens INTEGER NOT NULL DEFAULT 0,   -- tokens of calls without a price
  unpriced_output_tokens INTEGER NOT NULL DEFAULT 0,
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
  unpriced_input_tokens INTEGER NOT NULL DEFAULT 0,   -- tokens of calls without a price
  unpriced_output_tokens INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project, day, kind, is_call, status, provider, model, environment, error_code)
) WITHOUT ROWID;
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
-- The sums of labels of hours and days that are over, in columns (label-packs.ts). Late changes are stored in
-- rollup_label_hours and rollup_labels as deltas, until they are packed too.
CREATE TABLE label_packs (
  project INTEGER NOT NULL REFERENCES projects (no),
  hours INTEGER NOT NULL,               -- 1 or 24: how long the stretch is
  time INTEGER NOT NULL,                -- since the epoch, in such stretches
  sums BLOB NOT NULL,
  PRIMARY KEY (project, hours, time)
);
--> statement-breakpoint
-- The instant from which on all rows of a project are still stored: retention has deleted earlier ones, though
-- late events may be there. Retention has deleted nothing of a project without an entry.
CREATE TABLE rows_from (
  project INTEGER PRIMARY KEY REFERENCES projects (no),
  ts INTEGER NOT NULL
);
--> statement-breakpoint
-- When an event without a timestamp of its own was first received, so that a retry is the same event.
CREATE TABLE undated_events (
  project INTEGER NOT NULL REFERENCES projects (no),
  event_id BLOB NOT NULL,
  ts INTEGER NOT NULL,
  PRIMARY KEY (project, event_id)
) WITHOUT ROWID;
--> statement-breakpoint
-- What events cost before a re-pricing and after it, until that is undone.
CREATE TABLE repriced_events (
  repricing TEXT NOT NULL,
  project INTEGER NOT NULL REFERENCES projects (no),
  ts INTEGER NOT NULL,
  event_id BLOB NOT NULL,
  old_cost INTEGER,
  old_status INTEGER,
  old_price INTEGER,
  cost INTEGER,
  status INTEGER,
  price INTEGER,
  PRIMARY KEY (project, repricing, ts, event_id)
) WITHOUT ROWID;
--> statement-breakpoint
-- Batches of events in the order of their arrival, until they are sealed. Numbers are never used twice, because
-- readers keep decoded batches by number.
CREATE TABLE event_log (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL REFERENCES projects (no),
  events INTEGER NOT NULL,              -- duplicates included
  first_ts INTEGER NOT NULL,            -- epoch milliseconds
  last_ts INTEGER NOT NULL,
  labels TEXT NOT NULL,                 -- JSON: event_labels.id of events without a shape, then of each shape
  dropped BLOB,                         -- a bit per event, 1 for a duplicate; null without duplicates
  ids BLOB NOT NULL,                    -- 16 bytes per event
  pack BLOB NOT NULL                    -- all other columns (packs/encode-pack.ts)
);
--> statement-breakpoint
CREATE INDEX event_log_project ON event_log (project, seq);
--> statement-breakpoint
-- The events of a batch that count as a call now and did not before, or the reverse.
CREATE TABLE event_log_flips (
  seq INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects (no),
  places TEXT NOT NULL                  -- JSON array of places in the batch
);
--> statement-breakpoint
-- Sealed events of one project and UTC day, in columns. `ready` is 0 until all pieces and blocks are stored.
CREATE TABLE event_segments (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL REFERENCES projects (no),
  version INTEGER NOT NULL,             -- increases with each change of a piece
  ready INTEGER NOT NULL,
  events INTEGER NOT NULL,
  first_ts INTEGER NOT NULL,
  last_ts INTEGER NOT NULL,
  blocks INTEGER NOT NULL,
  small BLOB NOT NULL                   -- the pieces of a few bytes (segments/encode-segment.ts)
);
--> statement-breakpoint
CREATE INDEX event_segments_project ON event_segments (project, last_ts) WHERE ready = 1;
--> statement-breakpoint
CREATE INDEX event_segments_unready ON event_segments (project) WHERE ready = 0;
--> statement-breakpoint
CREATE TABLE event_pieces (
  id INTEGER PRIMARY KEY,               -- event_segments.no * 64 + number of the piece
  project INTEGER NOT NULL REFERENCES projects (no),
  data BLOB NOT NULL
);
--> statement-breakpoint
-- What is displayed but never searched, a few hundred events each.
CREATE TABLE event_blocks (
  id INTEGER PRIMARY KEY,               -- event_segments.no * 16384 + number of the block
  project INTEGER NOT NULL REFERENCES projects (no),
  data BLOB NOT NULL
);
--> statement-breakpoint
CREATE TABLE event_segment_flips (
  no INTEGER PRIMARY KEY,               -- event_segments.no
  project INTEGER NOT NULL REFERENCES projects (no),
  places TEXT NOT NULL                  -- as in event_log_flips
);
