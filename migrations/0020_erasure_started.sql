-- When the job began with an erasure. Until then, another request for the same user is the same erasure.
ALTER TABLE erasures ADD COLUMN started_at INTEGER;
