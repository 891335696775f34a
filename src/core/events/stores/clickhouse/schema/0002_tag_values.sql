-- The values of tags that are told apart, at most a thousand of each tag.
CREATE TABLE IF NOT EXISTS tag_values (
  project UInt32,
  name String,
  value String
)
ENGINE = ReplacingMergeTree
ORDER BY (project, name, value)
