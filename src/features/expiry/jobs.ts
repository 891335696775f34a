import { deleteInSlices, type Slice, sliceOp } from '../../core/jobs/index.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Job } from '../../module.ts';

type Expiry = Pick<Job, 'name' | 'summary' | 'schedule'> & {
  readonly slice: Slice;
  /** Days for which a row is still shown after its end. */
  readonly shownDays: number;
};

const byRow = (table: string, where: string): Slice => ({
  name: `expiry.${table}`,
  table,
  key: ['rowid'],
  where,
});

/** Rows with an end of their own. All of a table is walked: these tables have no index on the end. */
const EXPIRIES: readonly Expiry[] = [
  {
    name: 'sessions.delete_expired',
    summary: 'Delete sessions that have expired',
    schedule: '30 3 * * *',
    slice: byRow('sessions', 'expires_at <= ?'),
    shownDays: 0,
  },
  {
    name: 'keys.delete_expired',
    summary: 'Delete API keys that were revoked or rotated away 30 days ago',
    schedule: '35 3 * * *',
    slice: byRow('api_keys', 'min(ifnull(valid_until, 9e15), ifnull(revoked_at, 9e15)) <= ?'),
    shownDays: 30,
  },
  {
    name: 'verifications.delete_expired',
    summary: 'Delete sign-in links and verifications that have expired',
    schedule: '40 3 * * *',
    slice: byRow('verifications', 'expires_at <= ?'),
    shownDays: 0,
  },
  {
    name: 'invitations.delete_expired',
    summary: 'Delete invitations that came to their end 30 days ago',
    schedule: '50 3 * * *',
    slice: byRow('invitations', 'expires_at <= ?'),
    shownDays: 30,
  },
  {
    name: 'setup_tokens.delete_expired',
    summary: 'Delete setup links that have expired',
    schedule: '45 3 * * *',
    slice: byRow('setup_tokens', 'expires_at <= ?'),
    shownDays: 0,
  },
];

export const expiryOps = EXPIRIES.map(({ slice }) => sliceOp(slice));

/** Each is safe to kill and to run again: what has expired stays expired. */
export const expiryJobs: readonly Job[] = EXPIRIES.map(({ name, summary, schedule, slice, shownDays }) => ({
  name,
  summary,
  schedule,
  run: async (ctx, signal) => ({
    deleted: await deleteInSlices(slice, { where: ctx.now() - shownDays * DAY_MS }, { ctx, signal }),
  }),
}));
