-- The tokens of calls without a price. Entries in which only some calls have none get them from the rows; where
-- retention has deleted those they are not known, and stay 0.
ALTER TABLE rollup_slots ADD COLUMN unpriced_input_tokens INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE rollup_slots ADD COLUMN unpriced_output_tokens INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE rollup_hours ADD COLUMN unpriced_input_tokens INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE rollup_hours ADD COLUMN unpriced_output_tokens INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE rollup_days ADD COLUMN unpriced_input_tokens INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE rollup_days ADD COLUMN unpriced_output_tokens INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
UPDATE rollup_slots SET unpriced_input_tokens = fresh_tokens + cache_read_tokens + cache_write_tokens,
  unpriced_output_tokens = output_tokens WHERE unpriced > 0 AND unpriced = requests;
--> statement-breakpoint
UPDATE rollup_hours SET unpriced_input_tokens = fresh_tokens + cache_read_tokens + cache_write_tokens,
  unpriced_output_tokens = output_tokens WHERE unpriced > 0 AND unpriced = requests;
--> statement-breakpoint
UPDATE rollup_days SET unpriced_input_tokens = fresh_tokens + cache_read_tokens + cache_write_tokens,
  unpriced_output_tokens = output_tokens WHERE unpriced > 0 AND unpriced = requests;
--> statement-breakpoint
UPDATE rollup_slots AS r SET (unpriced_input_tokens, unpriced_output_tokens) = (
    SELECT ifnull(sum(fresh_tokens + cache_read_tokens + cache_write_tokens + cache_write_1h_tokens), 0),
      ifnull(sum(output_tokens + reasoning_tokens), 0)
    FROM events WHERE project = r.project AND ts >= r.slot * 300000 AND ts < (r.slot + 1) * 300000
      AND cost_status = 1 AND kind = r.kind AND is_call = r.is_call AND status = r.status AND ifnull(provider, '') = r.provider AND ifnull(model, '') = r.model
      AND ifnull(environment, '') = r.environment AND ifnull(error_code, '') = r.error_code)
  WHERE unpriced > 0 AND unpriced < requests;
--> statement-breakpoint
UPDATE rollup_hours AS r SET (unpriced_input_tokens, unpriced_output_tokens) = (
    SELECT ifnull(sum(f.unpriced_input_tokens), 0), ifnull(sum(f.unpriced_output_tokens), 0)
    FROM rollup_slots AS f WHERE f.project = r.project AND f.slot >= r.hour * 12 AND f.slot < (r.hour + 1) * 12
      AND f.kind = r.kind AND f.is_call = r.is_call AND f.status = r.status AND f.provider = r.provider AND f.model = r.model
      AND f.environment = r.environment AND f.error_code = r.error_code)
  WHERE unpriced > 0 AND unpriced < requests;
--> statement-breakpoint
UPDATE rollup_days AS r SET (unpriced_input_tokens, unpriced_output_tokens) = (
    SELECT ifnull(sum(f.unpriced_input_tokens), 0), ifnull(sum(f.unpriced_output_tokens), 0)
    FROM rollup_hours AS f WHERE f.project = r.project AND f.hour >= r.day * 24 AND f.hour < (r.day + 1) * 24
      AND f.kind = r.kind AND f.is_call = r.is_call AND f.status = r.status AND f.provider = r.provider AND f.model = r.model
      AND f.environment = r.environment AND f.error_code = r.error_code)
  WHERE unpriced > 0 AND unpriced < requests;
