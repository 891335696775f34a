-- The version of the agent that an event names.
ALTER TABLE events ADD COLUMN IF NOT EXISTS agent_version LowCardinality(Nullable(String))
