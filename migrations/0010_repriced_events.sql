-- What events cost before a re-pricing and after it, until that is undone.
CREATE TABLE repriced_events (
  repricing TEXT NOT NULL REFERENCES repricings (id),
  project INTEGER NOT NULL REFERENCES projects (no),
  ts INTEGER NOT NULL,
  event_id BLOB NOT NULL,
  old_cost INTEGER,
  old_status INTEGER,
  old_price INTEGER,
  cost INTEGER,
  status INTEGER,
  price INTEGER,
  PRIMARY KEY (project, repricing, ts, event_id)
) WITHOUT ROWID;
