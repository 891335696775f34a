-- Events counted against the quota, by month of receipt.
CREATE TABLE usage_months (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  month TEXT NOT NULL,                  -- YYYY-MM
  events INTEGER NOT NULL,
  PRIMARY KEY (organization_id, month)
) WITHOUT ROWID;
--> statement-breakpoint
-- Events counted against the quota, by day of receipt: the month's history.
CREATE TABLE usage_days (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  day TEXT NOT NULL,                    -- YYYY-MM-DD
  events INTEGER NOT NULL,
  PRIMARY KEY (organization_id, day)
) WITHOUT ROWID;
--> statement-breakpoint
-- Warnings that an organization has used 80 or 100 % of its month, once for each quota.
CREATE TABLE quota_warnings (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  month TEXT NOT NULL,                  -- YYYY-MM
  threshold INTEGER NOT NULL,           -- per cent
  quota INTEGER NOT NULL,
  at INTEGER NOT NULL,                  -- epoch milliseconds
  PRIMARY KEY (organization_id, month, threshold, quota)
) WITHOUT ROWID;
