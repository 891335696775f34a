-- Events. Of the rows of a key (project, ts, event_id) the one with the greatest version stands. Receipts:
-- (2^42 - received_at in ms) * 2^20 + 20 bits of the batch, so that the first one stands and a retry changes nothing.
-- Changes: 2^63 + number of the change. A change is a whole row.
CREATE TABLE IF NOT EXISTS events (
  project UInt32,
  ts Int64 CODEC(Delta(8), ZSTD(1)),
  event_id UUID CODEC(NONE),
  version UInt64 CODEC(Delta(8), ZSTD(1)),
  is_deleted UInt8 DEFAULT 0 CODEC(ZSTD(1)),
  received_at Int64 CODEC(Delta(8), ZSTD(1)),
  trace_id String CODEC(ZSTD(1)),
  span_id String CODEC(ZSTD(1)),
  parent_span_id Nullable(String) CODEC(ZSTD(1)),
  kind Enum8('llm' = 0, 'embedding' = 1, 'tool' = 2, 'agent' = 3, 'chain' = 4, 'retrieval' = 5, 'guardrail' = 6, 'span' = 7),
  is_call UInt8 CODEC(ZSTD(1)),
  status Enum8('success' = 0, 'error' = 1, 'timeout' = 2, 'rate_limited' = 3, 'cancelled' = 4),
  stream UInt8 CODEC(ZSTD(1)),
  provider LowCardinality(Nullable(String)),
  model LowCardinality(Nullable(String)),
  operation LowCardinality(String),
  environment LowCardinality(String),
  user_id Nullable(String) CODEC(ZSTD(1)),
  session_id Nullable(String) CODEC(ZSTD(1)),
  key_id LowCardinality(Nullable(String)),
  name LowCardinality(Nullable(String)),
  agent LowCardinality(Nullable(String)),
  tool LowCardinality(Nullable(String)),
  release LowCardinality(Nullable(String)),
  prompt_name LowCardinality(Nullable(String)),
  prompt_version LowCardinality(Nullable(String)),
  prompt_hash Nullable(String) CODEC(ZSTD(1)),
  sdk_version LowCardinality(Nullable(String)),
  finish_reason LowCardinality(Nullable(String)),
  error_code LowCardinality(Nullable(String)),
  error_message Nullable(String) CODEC(ZSTD(1)),
  latency_ms Nullable(Float64) CODEC(ZSTD(1)),
  ttft_ms Nullable(Float64) CODEC(ZSTD(1)),
  -- As sent; the buckets are what is billed.
  input_tokens UInt32 CODEC(T64, ZSTD(1)),
  output_tokens UInt32 CODEC(T64, ZSTD(1)),
  bucket_fresh UInt32 CODEC(T64, ZSTD(1)),
  bucket_cache_read UInt32 CODEC(T64, ZSTD(1)),
  bucket_cache_write_5m UInt32 CODEC(T64, ZSTD(1)),
  bucket_cache_write_1h UInt32 CODEC(T64, ZSTD(1)),
  bucket_output UInt32 CODEC(T64, ZSTD(1)),
  bucket_reasoning UInt32 CODEC(T64, ZSTD(1)),
  cost_nano Nullable(Int64) CODEC(T64, ZSTD(1)),
  cost_status LowCardinality(Nullable(String)),
  -- The applied price as JSON; '' without one. Few texts, each stored once per part.
  price LowCardinality(String),
  -- The texts of the tags, for filters and sums; `tags_json` has them as sent.
  tags Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  tags_json String CODEC(ZSTD(3)),
  metadata String CODEC(ZSTD(3)),
  usage String CODEC(ZSTD(3)),
  input String CODEC(ZSTD(3)),
  output String CODEC(ZSTD(3)),
  INDEX by_event event_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_trace trace_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_session session_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_user user_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY intDiv(ts, 86400000)
ORDER BY (project, ts, event_id)
SETTINGS index_granularity = 8192, fsync_after_insert = 1, fsync_part_directory = 1,
  enable_block_number_column = 1, enable_block_offset_column = 1
