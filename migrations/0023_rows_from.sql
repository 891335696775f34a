-- From when on all rows of a project are still stored: retention has deleted before, though events that came in
-- late may be there. A project without an entry has lost none.
CREATE TABLE rows_from (
  project INTEGER PRIMARY KEY REFERENCES projects (no),
  ts INTEGER NOT NULL
);
--> statement-breakpoint
-- Where the sums go further back than the rows, retention has been.
INSERT INTO rows_from (project, ts)
SELECT no, oldest FROM (
  SELECT no, coalesce(
    (SELECT min(ts) FROM events WHERE project = no),
    (SELECT (max(hour) + 1) * 3600000 FROM rollup_hours WHERE project = no)
  ) AS oldest FROM projects
) WHERE (SELECT min(hour) FROM rollup_hours WHERE project = no) < oldest / 3600000;
