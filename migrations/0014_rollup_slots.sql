-- Sums per five minutes, for the edges of a window: without them up to half an hour of rows is read there,
-- however many they are. They have no sketches, and go when their rows go.
CREATE TABLE rollup_slots (
  project INTEGER NOT NULL REFERENCES projects (no),
  slot INTEGER NOT NULL,                -- ts / 300000
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
  cache_write_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  latency_us INTEGER NOT NULL,
  latency_count INTEGER NOT NULL,
  ttft_us INTEGER NOT NULL,
  ttft_count INTEGER NOT NULL,
  generation_us INTEGER NOT NULL,
  generation_tokens INTEGER NOT NULL,
  PRIMARY KEY (project, slot, kind, is_call, status, provider, model, environment, error_code)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO rollup_slots
SELECT project, ts / 300000, kind, is_call, status, ifnull(provider, ''), ifnull(model, ''), environment,
  ifnull(error_code, ''), count(*), total(cost_nano), total(cost_status = 1), total(fresh_tokens),
  total(cache_read_tokens), total(cache_write_tokens + cache_write_1h_tokens),
  total(output_tokens + reasoning_tokens), total(reasoning_tokens), total(round(latency_ms * 1000)),
  count(latency_ms), total(iif(stream, round(ttft_ms * 1000), 0)), total(stream AND ttft_ms IS NOT NULL),
  total(iif(output_tokens + reasoning_tokens > 0,
    max(0, round(latency_ms * 1000) - iif(stream, ifnull(round(ttft_ms * 1000), 0), 0)), 0)),
  total(iif(latency_ms IS NOT NULL, output_tokens + reasoning_tokens, 0))
FROM events GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;
