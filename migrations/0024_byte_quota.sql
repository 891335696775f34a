ALTER TABLE `organizations` ADD `monthly_bytes` integer;
--> statement-breakpoint
ALTER TABLE usage_months ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE usage_days ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
-- Each quota is warned of by itself.
CREATE TABLE quota_warnings_by_unit (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  month TEXT NOT NULL,                  -- YYYY-MM
  unit TEXT NOT NULL DEFAULT 'events',  -- events or bytes
  threshold INTEGER NOT NULL,           -- per cent
  quota INTEGER NOT NULL,
  at INTEGER NOT NULL,                  -- epoch milliseconds
  PRIMARY KEY (organization_id, month, unit, threshold, quota)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO quota_warnings_by_unit (organization_id, month, threshold, quota, at)
  SELECT organization_id, month, threshold, quota, at FROM quota_warnings;
--> statement-breakpoint
DROP TABLE quota_warnings;
--> statement-breakpoint
ALTER TABLE quota_warnings_by_unit RENAME TO quota_warnings;
