-- Links without release, prompt, provider and run are edges of the graph: few rows, which have the latencies.
ALTER TABLE event_links ADD COLUMN edge INTEGER;  -- event_links.id; null for one that is an edge itself
--> statement-breakpoint
INSERT OR IGNORE INTO event_links (project, json)
  SELECT DISTINCT project, json_array(json ->> 0, json ->> 1, json ->> 2, json ->> 3, NULL, 0, NULL, json ->> 7, NULL, NULL, NULL)
  FROM event_links;
--> statement-breakpoint
UPDATE event_links SET edge = (
  SELECT e.id FROM event_links e WHERE e.project = event_links.project AND e.id <> event_links.id AND e.json =
    json_array(event_links.json ->> 0, event_links.json ->> 1, event_links.json ->> 2, event_links.json ->> 3, NULL, 0, NULL,
      event_links.json ->> 7, NULL, NULL, NULL));
--> statement-breakpoint
CREATE TABLE rollup_edges (
  project INTEGER NOT NULL REFERENCES projects (no),
  day INTEGER NOT NULL,                 -- ts / 86400000
  edge INTEGER NOT NULL,                -- event_links.id
  requests INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  cost_nano INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  latency_us INTEGER NOT NULL,
  latency_count INTEGER NOT NULL,
  latency_sketch BLOB NOT NULL,
  PRIMARY KEY (project, day, edge)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE rollup_edge_hours (
  project INTEGER NOT NULL REFERENCES projects (no),
  hour INTEGER NOT NULL,                -- ts / 3600000
  edge INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  cost_nano INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  latency_us INTEGER NOT NULL,
  latency_count INTEGER NOT NULL,
  latency_sketch BLOB NOT NULL,
  PRIMARY KEY (project, hour, edge)
) WITHOUT ROWID;
--> statement-breakpoint
-- Sketches can't be added up here: percentiles of a time before this migration are unknown.
INSERT INTO rollup_edges
  SELECT r.project, r.day, coalesce(l.edge, l.id), sum(requests), sum(errors), sum(cost_nano), sum(unpriced), sum(input_tokens),
    sum(output_tokens), sum(latency_us), sum(latency_count), x''
  FROM rollup_links r JOIN event_links l ON l.id = r.link GROUP BY 1, 2, 3;
--> statement-breakpoint
INSERT INTO rollup_edge_hours
  SELECT r.project, r.hour, coalesce(l.edge, l.id), sum(requests), sum(errors), sum(cost_nano), sum(unpriced), sum(input_tokens),
    sum(output_tokens), sum(latency_us), sum(latency_count), x''
  FROM rollup_link_hours r JOIN event_links l ON l.id = r.link GROUP BY 1, 2, 3;
--> statement-breakpoint
ALTER TABLE rollup_links DROP COLUMN latency_sketch;
--> statement-breakpoint
ALTER TABLE rollup_link_hours DROP COLUMN latency_sketch;
