-- The place in the graph of agents and tools of an event whose trace retention cuts, as JSON ('null' without one); '' for others, whose place
-- follows from their traces.
ALTER TABLE events ADD COLUMN IF NOT EXISTS link LowCardinality(String) DEFAULT ''
