import { and, eq } from 'drizzle-orm';
import { type Ctx, defineEvent, listService, type Service } from '../../../context.ts';
import { createFreshCache, type FreshCache } from '../../../lib/fresh-cache.ts';
import { onlineRules } from '../table.ts';

/** Changes of another process are seen after this. */
const TTL_MS = 5_000;
const MAX_PROJECTS = 10_000;

/** What the arrival of events must know of a rule. */
export type ArrivalRule = {
  readonly id: string;
  readonly sampleRate: number;
  readonly delaySeconds: number;
  readonly judgesUnstored: boolean;
};

/** Rules of a project changed. */
export const rulesChanged = defineEvent<string>('online_rules.changed', 'all');

const cache: Service<FreshCache<readonly ArrivalRule[]>> = {
  name: 'online_rules.enabled',
  open: (ctx) =>
    createFreshCache({ ttlMs: TTL_MS, maxKeys: MAX_PROJECTS, now: ctx.now, load: (id) => load(ctx, id) }),
};
export const rulesService = listService(cache);

const load = (ctx: Ctx, projectId: string): Promise<ArrivalRule[]> => {
  const { id, sampleRate, delaySeconds, judgesUnstored } = onlineRules;
  return ctx.db.sql
    .select({ id, sampleRate, delaySeconds, judgesUnstored })
    .from(onlineRules)
    .where(and(eq(onlineRules.projectId, projectId), eq(onlineRules.enabled, true)));
};

/** The enabled rules of a project. */
export const rulesOfProject = (ctx: Ctx, projectId: string): Promise<readonly ArrivalRule[]> =>
  ctx.use(cache).get(projectId);

/** Forgets the rules of a project after a change. */
export const dropRules = (ctx: Ctx, projectId: string): void => ctx.use(cache).drop(projectId);
