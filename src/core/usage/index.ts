import { listService } from '../../context.ts';
import type { Module } from '../../module.ts';
import { countUsage } from './count-usage.ts';
import { notedQuotas, warnOp } from './note-exhausted.ts';
import { countsRead } from './queries.ts';

const ofOrganization = { scope: 'organization', by: 'organization_id', readable: true } as const;

/** Events and their bytes counted by month and day of receipt, and the monthly quotas. */
export const usageModule: Module = {
  name: 'usage',
  tables: [
    { name: 'usage_months', ...ofOrganization, key: ['month'] },
    { name: 'usage_days', ...ofOrganization, key: ['day'] },
    { name: 'quota_warnings', ...ofOrganization, key: ['month', 'unit', 'threshold', 'quota'] },
  ],
  reads: [countsRead],
  writes: [warnOp],
  effects: [countUsage],
  services: [listService(notedQuotas)],
};

export { refuseExhausted } from './note-exhausted.ts';
export { readUsageCounts } from './queries.ts';
export { type QuotaWarning, quotaWarned } from './quota-warned.ts';
export { recordCounted } from './record-counted.ts';
