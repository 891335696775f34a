-- Sums of a project's UTC days that are over. All rows of a build carry its number. The columns by which they are told
-- apart have the names and types of those of events, so that the same conditions hold for both.
CREATE TABLE IF NOT EXISTS rollup_days (
  project UInt32,
  day Int32,
  built UInt64,
  kind Enum8('llm' = 0, 'embedding' = 1, 'tool' = 2, 'agent' = 3, 'chain' = 4, 'retrieval' = 5, 'guardrail' = 6, 'span' = 7),
  is_call UInt8,
  status Enum8('success' = 0, 'error' = 1, 'timeout' = 2, 'rate_limited' = 3, 'cancelled' = 4),
  provider LowCardinality(Nullable(String)),
  model LowCardinality(Nullable(String)),
  environment LowCardinality(String),
  error_code LowCardinality(Nullable(String)),
  requests Int64 CODEC(T64, ZSTD(1)),
  errors Int64 CODEC(T64, ZSTD(1)),
  timeouts Int64 CODEC(T64, ZSTD(1)),
  rate_limited Int64 CODEC(T64, ZSTD(1)),
  cancelled Int64 CODEC(T64, ZSTD(1)),
  cost_nano Int64 CODEC(T64, ZSTD(1)),
  unpriced Int64 CODEC(T64, ZSTD(1)),
  unpriced_input_tokens Int64 CODEC(T64, ZSTD(1)),
  unpriced_output_tokens Int64 CODEC(T64, ZSTD(1)),
  input_tokens Int64 CODEC(T64, ZSTD(1)),
  fresh_tokens Int64 CODEC(T64, ZSTD(1)),
  cache_read_tokens Int64 CODEC(T64, ZSTD(1)),
  cache_write_tokens Int64 CODEC(T64, ZSTD(1)),
  output_tokens Int64 CODEC(T64, ZSTD(1)),
  reasoning_tokens Int64 CODEC(T64, ZSTD(1)),
  latency_us Int64 CODEC(T64, ZSTD(1)),
  latency_count Int64 CODEC(T64, ZSTD(1)),
  ttft_us Int64 CODEC(T64, ZSTD(1)),
  ttft_count Int64 CODEC(T64, ZSTD(1)),
  generation_us Int64 CODEC(T64, ZSTD(1)),
  generation_tokens Int64 CODEC(T64, ZSTD(1)),
  guardrail_checks Int64 CODEC(T64, ZSTD(1)),
  guardrail_flags Int64 CODEC(T64, ZSTD(1)),
  guardrail_redactions Int64 CODEC(T64, ZSTD(1)),
  guardrail_blocks Int64 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY intDiv(day, 30)
ORDER BY (project, day, built)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
;
-- How often events of a day that is over were added or changed. `salt` makes each row different, because replicated
-- tables drop repeated blocks.
CREATE TABLE IF NOT EXISTS rollup_marks (
  project UInt32,
  day Int32,
  marks UInt64,
  salt UInt64
)
ENGINE = SummingMergeTree(marks)
ORDER BY (project, day)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
;
-- Builds, with the number of marks of the day before its events were read. The newest one counts, as long as the day has
-- no more marks.
CREATE TABLE IF NOT EXISTS rollup_builds (
  project UInt32,
  day Int32,
  built UInt64,
  marks UInt64
)
ENGINE = ReplacingMergeTree(built)
ORDER BY (project, day)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
