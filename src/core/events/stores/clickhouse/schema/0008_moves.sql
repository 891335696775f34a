-- How far a move of events into this database is: `ledger` (whose events), `state` (copying or done), and by `day PROJECT DAY`
-- what the copied day was made of. Of the rows of a name the one inserted last stands.
CREATE TABLE IF NOT EXISTS moves (
  name String,
  value String,
  at UInt64
)
ENGINE = ReplacingMergeTree(at)
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
