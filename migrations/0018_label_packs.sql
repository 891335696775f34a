-- The sums of labels of hours and days that are over, in columns (label-packs.ts). What comes late stands in
-- rollup_label_hours and rollup_labels as the difference, until it is packed too.
CREATE TABLE label_packs (
  project INTEGER NOT NULL REFERENCES projects (no),
  hours INTEGER NOT NULL,               -- 1 or 24: how long the stretch is
  time INTEGER NOT NULL,                -- since the epoch, in such stretches
  sums BLOB NOT NULL,
  PRIMARY KEY (project, hours, time)
);
