-- Requests to erase everything that is stored of an end user of a project. The user's id is forgotten when the
-- erasure is done: the receipt stays.
CREATE TABLE erasures (
  id TEXT PRIMARY KEY NOT NULL,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  project_id TEXT NOT NULL REFERENCES projects (id),
  user_id TEXT,                         -- null when it is done
  user_digest TEXT NOT NULL,            -- HMAC-SHA256 of project and user, by the server's secret
  requested_by TEXT NOT NULL,
  requested_at INTEGER NOT NULL,        -- epoch milliseconds
  finished_at INTEGER,
  chunk INTEGER NOT NULL DEFAULT 0,     -- where the walk over the events goes on
  events INTEGER NOT NULL DEFAULT 0,    -- deleted so far
  refused_lines INTEGER NOT NULL DEFAULT 0
);
--> statement-breakpoint
CREATE INDEX erasures_project ON erasures (project_id, requested_at);
