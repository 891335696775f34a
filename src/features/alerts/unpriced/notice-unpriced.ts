import { eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import {
  listChannels,
  type Notification,
  notificationStatement,
  notificationsWritten,
} from '../../../core/deliveries/index.ts';
import { eventsOf } from '../../../core/events/index.ts';
import { listOrganizations } from '../../../core/orgs/index.ts';
import { listProjects } from '../../../core/projects/index.ts';
import { ofProjects, operatorScope } from '../../../core/tenancy/index.ts';
import { countText } from '../../../lib/figures.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { Job } from '../../../module.ts';
import { unpricedNotices } from '../table.ts';

/** Models of an organization that are remembered: a sender with invented names causes no more notifications. */
const MOST = 500;
const MAX_NAME = 200;
const MAX_NAMED = 10;

/** Tells channels of models that were called without a price in the last day, each once in an organization. */
export const noticeUnpriced: Job = {
  name: 'alerts.unpriced',
  summary: 'Notify of models that were called without a price',
  schedule: '*/10 * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    let models = 0;
    for (const { id } of await listOrganizations(ctx)) {
      signal.throwIfAborted();
      models += await noticeOf(ctx, id);
    }
    return models === 0 ? {} : { models };
  },
};

async function noticeOf(ctx: Ctx, organizationId: string): Promise<number> {
  const channels = await listChannels(ctx, organizationId);
  // Without a subscriber nobody would be told, so nothing is noted as told.
  if (!channels.some(({ enabled, types }) => enabled && types.includes('model.unpriced'))) return 0;
  const known = await ctx.db.sql
    .select({ model: unpricedNotices.model })
    .from(unpricedNotices)
    .where(eq(unpricedNotices.organizationId, organizationId));
  const told = new Set(known.map(({ model }) => model));
  const found = (await readUnpriced(ctx, organizationId)).filter((model) => !told.has(model));
  const models = found.slice(0, Math.max(0, MOST - told.size));
  if (models.length === 0) return 0;
  const toldAt = new Date(ctx.now());
  await ctx.db.sql.batch([
    ctx.db.sql.insert(unpricedNotices).values(models.map((model) => ({ organizationId, model, toldAt }))),
    notificationStatement(ctx, toNotification(organizationId, models)),
  ]);
  ctx.emit(notificationsWritten);
  return models.length;
}

/** Names of models with unpriced calls in the last day, over all projects of an organization. */
async function readUnpriced(ctx: Ctx, organizationId: string): Promise<string[]> {
  const projects = await listProjects(ctx, organizationId);
  if (projects.length === 0) return [];
  const now = ctx.now();
  const { rows } = await eventsOf(ctx).metrics(ofProjects(projects.map(operatorScope)), {
    rows: { measures: ['unpriced'], groupBy: ['model'], window: { from: now - DAY_MS, to: now + 1 } },
  });
  const names = rows.flatMap(({ model, unpriced }) =>
    model === null || unpriced === 0 ? [] : [model.slice(0, MAX_NAME)],
  );
  return [...new Set(names)];
}

function toNotification(organizationId: string, models: readonly string[]): Notification {
  const summary = `${countText(models.length, 'model')} without a price: ${models.slice(0, MAX_NAMED).join(', ')}`;
  return {
    organizationId,
    type: 'model.unpriced',
    data: { models, summary },
    message: {
      title: summary.slice(0, 250),
      text: 'Calls of these models have no cost. Set a price, and re-price the stored calls.',
      facts: [],
      severity: 'warning',
      subject: `unpriced ${organizationId}`,
      link: { label: 'Open Spanledger', path: '/' },
    },
  };
}
