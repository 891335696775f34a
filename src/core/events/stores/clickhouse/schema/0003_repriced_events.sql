-- What calls cost before a re-pricing, so that it can be taken back. The row inserted last stands.
CREATE TABLE IF NOT EXISTS repriced_events (
  project UInt32,
  repricing String,
  ts Int64,
  event_id UUID,
  cost_nano Nullable(Int64),
  cost_status LowCardinality(Nullable(String)),
  price LowCardinality(String)
)
ENGINE = ReplacingMergeTree
ORDER BY (project, repricing, ts, event_id)
SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1
