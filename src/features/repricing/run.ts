import { and, eq } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { type CostDifference, type EventChange, eventsOf, START } from '../../core/events/index.ts';
import { paced, runJob } from '../../core/jobs/index.ts';
import { operatorScope, type ProjectScope } from '../../core/tenancy/index.ts';
import { AppError } from '../../errors.ts';
import type { Job } from '../../module.ts';
import { BUSY, type RepricingState } from './contract.ts';
import { addGroups, toGroups } from './groups.ts';
import { type Progress, progressEffect } from './progress-effect.ts';
import { findRepricing, listBusy, projectOf, type Repricing } from './queries.ts';
import { selectionOf } from './selection-of.ts';
import { repricings } from './table.ts';

/** Calls per slice. */
const SIZES = { first: 64, least: 8, most: 400 };
const AGAIN_MS = 100;
/** How often a run looks for re-pricings that were started meanwhile. */
const LOOK_MS = 250;
/** Organizations that are re-priced at a time. Each takes at most half of what the others leave of the writer's time. */
const MOST_AT_ONCE = 3;

type Task = { readonly ctx: Ctx; readonly signal: AbortSignal };

/** Continues every re-pricing that has work to do. After a crash it resumes after the last committed slice. */
export const repriceJob: Job = {
  name: 'repricing.run',
  summary: 'Continue re-pricings that were started',
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    await advanceAll({ ctx, signal });
    // The result is recorded in the re-pricings themselves.
    return {};
  },
};

/**
 * Advances what is busy, oldest first, one re-pricing of an organization at a time, so that a long one holds up only its
 * own organization. One that fails ends its organization's turn; the failure is thrown when the others are done.
 */
async function advanceAll(task: Task): Promise<void> {
  const running = new Map<string, Promise<void>>();
  const failures = new Map<string, unknown>();
  for (;;) {
    const free = (await listBusy(task.ctx)).find(
      ({ organizationId: of }) => !running.has(of) && !failures.has(of),
    );
    if (free !== undefined && running.size < MOST_AT_ONCE) {
      const { organizationId } = free;
      const work = advance(free, task).then(
        () => undefined,
        (error: unknown) => void failures.set(organizationId, error),
      );
      running.set(
        organizationId,
        work.finally(() => running.delete(organizationId)),
      );
    } else if (running.size > 0) await Promise.race([...running.values(), Bun.sleep(LOOK_MS)]);
    else break;
  }
  for (const failure of failures.values()) throw failure;
}

/**
 * Starts the job without waiting for it. If the job is already running it may miss the new work, so it is started
 * again afterwards.
 */
export function startRepricing(ctx: Ctx): void {
  runJob(ctx, repriceJob, 'schedule').catch((error: unknown) => {
    if (error instanceof AppError && error.status === 409)
      setTimeout(() => startRepricing(ctx), AGAIN_MS).unref();
    else if (!(error instanceof AppError)) ctx.log.error({ err: error }, 're-pricing could not be started');
  });
}

/** Runs one re-pricing and waits for its end. */
export async function finishRepricing(ctx: Ctx, id: string): Promise<Repricing> {
  for (;;) {
    const row = await findRepricing(ctx, id);
    if (!BUSY.includes(row.state)) return row;
    startRepricing(ctx);
    await Bun.sleep(20);
  }
}

async function advance(row: Repricing, task: Task): Promise<RepricingState> {
  const { ctx, signal } = task;
  try {
    if (row.state === 'looking') return await look(row, task);
    if (row.state === 'undoing') return await undo(row, task);
    return await apply(row, task);
  } catch (error) {
    signal.throwIfAborted();
    // 503 is temporary; the next run retries.
    if (error instanceof AppError && error.status === 503) throw error;
    // The state was changed concurrently, so the current slice was rejected.
    const { state: now } = await findRepricing(ctx, row.id);
    if (now !== row.state) return now;
    const state = row.state === 'looking' ? 'failed' : 'stopped';
    await setState(ctx, row, { state, error: error instanceof Error ? error.message : String(error) });
    if (!(error instanceof AppError)) throw error;
    return state;
  }
}

async function look(row: Repricing, { ctx, signal }: Task): Promise<RepricingState> {
  const scope = await scopeOf(ctx, row);
  const groups = new Map<string, CostDifference>();
  let looked = 0;
  let changes = 0;
  let unreadable = 0;
  let pricesVersion: string | null = null;
  for (let cursor: string | null = START; cursor !== null; ) {
    signal.throwIfAborted();
    const from = { cursor, pricesVersion };
    const page = await eventsOf(ctx).previewReprice(scope, selectionOf(row.request), from);
    looked += page.looked;
    changes += page.changes;
    unreadable += page.unreadable;
    addGroups(groups, page.differences);
    pricesVersion = page.pricesVersion;
    cursor = page.next;
  }
  const all = [...groups.values()];
  const sum = (of: 'before' | 'after'): number => all.reduce((total, group) => total + group[of], 0);
  await setState(ctx, row, {
    state: 'ready',
    pricesVersion,
    looked,
    changes,
    unreadable,
    groups: toGroups(all),
    beforeNano: sum('before'),
    afterNano: sum('after'),
    error: null,
  });
  return 'ready';
}

async function apply(row: Repricing, task: Task): Promise<RepricingState> {
  const calls = selectionOf(row.request);
  const change = { kind: 'reprice', id: row.id, calls, pricesVersion: row.pricesVersion ?? '' } as const;
  await work(row, task, change, 'applying');
  await setState(task.ctx, row, { state: 'applied', error: null });
  return 'applied';
}

async function undo(row: Repricing, task: Task): Promise<RepricingState> {
  await work(row, task, { kind: 'restore', id: row.id }, 'undoing');
  await setState(task.ctx, row, { state: 'undone', cursor: null, error: null });
  return 'undone';
}

/** Changes events from the cursor of the re-pricing to the end. Each slice commits its progress. */
async function work(
  row: Repricing,
  { ctx, signal }: Task,
  change: EventChange,
  state: Progress['state'],
): Promise<void> {
  const scope = await scopeOf(ctx, row);
  await paced<string>({
    from: change.kind === 'reprice' ? (row.cursor ?? START) : START,
    signal,
    sizes: SIZES,
    slice: async (cursor, rows) => {
      const payload: Progress = { id: row.id, state, now: ctx.now() };
      const effects = [{ effect: progressEffect.name, payload, rows: 1 }];
      const slice = await eventsOf(ctx).change(scope, change, { cursor, rows }, effects);
      return { ...slice, done: slice.changed };
    },
  });
}

const scopeOf = async (ctx: Ctx, { project: no }: Repricing): Promise<ProjectScope> => {
  const { projectId: id, organizationId } = await projectOf(ctx, no);
  return operatorScope({ id, no, organizationId });
};

/** Changes the state only if it was not changed concurrently. */
async function setState(
  ctx: Ctx,
  row: Repricing,
  change: Partial<typeof repricings.$inferInsert>,
): Promise<void> {
  await ctx.db.sql
    .update(repricings)
    .set({ ...change, updatedAt: new Date(ctx.now()) })
    .where(and(eq(repricings.id, row.id), eq(repricings.state, row.state)));
}
