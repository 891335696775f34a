-- Who changed what: a chain of entries per organization, each with the hash of the one before. There are no
-- foreign keys, because the log outlives the projects and people that it names. There is no rowid, because
-- INSERT OR REPLACE could reach a row by it.
CREATE TABLE audit_log (
  organization_id TEXT NOT NULL,        -- or 'installation'
  seq INTEGER NOT NULL,                 -- 1, 2, 3, … without gaps
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,                  -- epoch milliseconds
  actor_kind TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  actor_email TEXT,
  project_id TEXT,
  action TEXT NOT NULL,
  subject_type TEXT,
  subject_id TEXT,
  before TEXT,                          -- JSON
  after TEXT,
  address TEXT,
  user_agent TEXT,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL,                   -- SHA-256 of all of the above
  PRIMARY KEY (organization_id, seq)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX audit_log_action ON audit_log (organization_id, action, seq);
--> statement-breakpoint
CREATE INDEX audit_log_actor ON audit_log (organization_id, actor_id, seq);
--> statement-breakpoint
CREATE INDEX audit_log_project ON audit_log (organization_id, project_id, seq);
--> statement-breakpoint
-- Where each chain ends, so that entries cut off its end are missed.
CREATE TABLE audit_heads (
  organization_id TEXT PRIMARY KEY NOT NULL,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER audit_log_update BEFORE UPDATE ON audit_log
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_log_delete BEFORE DELETE ON audit_log
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
--> statement-breakpoint
-- INSERT OR REPLACE deletes without the trigger above, and an entry has to be the next of its chain.
CREATE TRIGGER audit_log_insert BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id)
  OR NEW.seq <> 1 + coalesce((SELECT seq FROM audit_heads WHERE organization_id = NEW.organization_id), 0)
  OR NEW.previous_hash <> coalesce((SELECT hash FROM audit_heads WHERE organization_id = NEW.organization_id), '')
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_log_inserted AFTER INSERT ON audit_log
BEGIN
  UPDATE audit_heads SET seq = NEW.seq, hash = NEW.hash WHERE organization_id = NEW.organization_id;
  INSERT INTO audit_heads (organization_id, seq, hash) SELECT NEW.organization_id, NEW.seq, NEW.hash
  WHERE NOT EXISTS (SELECT 1 FROM audit_heads WHERE organization_id = NEW.organization_id);
END;
--> statement-breakpoint
CREATE TRIGGER audit_heads_update BEFORE UPDATE ON audit_heads
WHEN NEW.organization_id <> OLD.organization_id OR NEW.seq <> OLD.seq + 1
  OR NOT EXISTS (SELECT 1 FROM audit_log WHERE organization_id = NEW.organization_id AND seq = NEW.seq AND hash = NEW.hash)
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_heads_delete BEFORE DELETE ON audit_heads
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER audit_heads_insert BEFORE INSERT ON audit_heads
WHEN EXISTS (SELECT 1 FROM audit_heads WHERE organization_id = NEW.organization_id)
  OR NOT EXISTS (SELECT 1 FROM audit_log WHERE organization_id = NEW.organization_id AND seq = NEW.seq AND hash = NEW.hash)
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
