-- Events that retention deleted: what identifies or describes them is gone, and their figures stay in all sums.
ALTER TABLE events ADD COLUMN IF NOT EXISTS is_kept UInt8 DEFAULT 0 CODEC(ZSTD(1))
