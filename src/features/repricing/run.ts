import { and, eq } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { priceIdsOp } from '../../core/events/index.ts';
import { runJob } from '../../core/jobs/index.ts';
import { ofProject } from '../../core/tenancy/index.ts';
import { AppError } from '../../errors.ts';
import type { Job } from '../../module.ts';
import { BUSY, type RepricingState } from './contract.ts';
import { addGroups, toGroups } from './groups.ts';
import { type Change, type Cursor, type Page, type PageInput, pageRead } from './page.ts';
import { findRepricing, listBusy, type Repricing } from './queries.ts';
import { repricings } from './table.ts';
import { applyOp, type SliceResult, STOPPED, undoOp } from './writes.ts';

/** A page of the dry run carries no more changes than one of the application: their figures are what counts. */
const CHANGES_AT_ONCE = 1_000;
const FIRST_ROWS = 64;
const MAX_ROWS = 400;
/** A slice that took longer is followed by a smaller one, a shorter one by a larger one (bars R10). */
const LONG_MS = 4;
const SHORT_MS = 1.5;
const MAX_PAUSE_MS = 50;
const RETRY_MS = 250;
const AGAIN_MS = 100;
const PATIENCE_MS = 60_000;

type Task = { readonly ctx: Ctx; readonly signal: AbortSignal };

/**
 * Carries on with every re-pricing that has work to do, after a crash from where it was: the slice that was
 * committed last says how far that is.
 */
export const repriceJob: Job = {
  name: 'repricing.run',
  summary: 'Carry on with re-pricings that were started',
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    for (;;) {
      const [next] = await listBusy(ctx);
      // What was done stands in the re-pricings themselves.
      if (next === undefined) return {};
      await advance(next, { ctx, signal });
    }
  },
};

/** Starts the work without waiting for it. A run that is about to end may not have seen it: then once more. */
export function startRepricing(ctx: Ctx): void {
  runJob(ctx, repriceJob, 'schedule').catch((error: unknown) => {
    if (error instanceof AppError && error.status === 409)
      setTimeout(() => startRepricing(ctx), AGAIN_MS).unref();
    else if (!(error instanceof AppError)) ctx.log.error({ err: error }, 're-pricing could not be started');
  });
}

/** Does the work of one re-pricing and waits for its end. */
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
    // What passes by itself is tried again by the next run.
    if (error instanceof AppError && error.status === 503) throw error;
    const state = row.state === 'looking' ? 'failed' : 'stopped';
    await setState(ctx, row, { state, error: error instanceof Error ? error.message : String(error) });
    if (!(error instanceof AppError)) throw error;
    return state;
  }
}

async function look(row: Repricing, { ctx, signal }: Task): Promise<RepricingState> {
  const groups = new Map<string, Page['groups'][number]>();
  let after: Cursor | null = null;
  let looked = 0;
  let changes = 0;
  let version: string | null = null;
  do {
    signal.throwIfAborted();
    const page: Page = await readPage(ctx, row, { after, version, limit: CHANGES_AT_ONCE });
    ({ version, next: after } = page);
    looked += page.looked;
    changes += page.changes.length;
    addGroups(groups, page.groups);
  } while (after !== null);
  const all = [...groups.values()];
  const sum = (of: 'before' | 'after'): number => all.reduce((total, group) => total + group[of], 0);
  await setState(ctx, row, {
    state: 'ready',
    ...{ pricesVersion: version, looked, changes, groups: toGroups(all) },
    ...{ beforeNano: sum('before'), afterNano: sum('after'), error: null },
  });
  return 'ready';
}

async function apply(row: Repricing, task: Task): Promise<RepricingState> {
  const { ctx, signal } = task;
  let after: Cursor | null = row.cursor === null ? null : JSON.parse(row.cursor);
  let rows = FIRST_ROWS;
  do {
    signal.throwIfAborted();
    const page = await readPage(ctx, row, { after, version: row.pricesVersion, limit: rows });
    const numbers = await ctx.db.writer.write<number[]>(priceIdsOp.name, {
      project: row.project,
      texts: page.prices,
    });
    const changes = page.changes.map(
      ([ts, id, c, s, p, cost, status, price]): Change => [
        ...([ts, id, c, s, p, cost, status] as const),
        price === null ? null : (numbers[price] ?? null),
      ],
    );
    const cursor = page.next ?? changes.at(-1)?.slice(0, 2) ?? after;
    if (cursor !== null) {
      const slice = { id: row.id, project: row.project, changes, cursor, now: ctx.now() };
      let changed = 0;
      rows = await writeSlice(task, applyOp.name, slice, rows, (result) => {
        changed = result.changed;
      });
      if (changed === STOPPED) return (await findRepricing(ctx, row.id)).state;
    }
    after = page.next;
  } while (after !== null);
  await setState(ctx, row, { state: 'applied', error: null });
  return 'applied';
}

async function undo(row: Repricing, task: Task): Promise<RepricingState> {
  let rows = FIRST_ROWS;
  let changed = 1;
  while (changed > 0) {
    task.signal.throwIfAborted();
    const slice = { id: row.id, project: row.project, rows, now: task.ctx.now() };
    rows = await writeSlice(task, undoOp.name, slice, rows, (result) => {
      changed = result.changed;
    });
  }
  await setState(task.ctx, row, { state: 'undone', cursor: null, error: null });
  return 'undone';
}

const readPage = async (ctx: Ctx, row: Repricing, input: Omit<PageInput, 'request'>): Promise<Page> => {
  const scope = ofProject({ no: row.project, organizationId: row.organizationId });
  return JSON.parse(await ctx.db.read(pageRead, scope, { request: row.request, ...input }));
};

/** Writes a slice, lets others write for as long as it took, and says how large the next one may be. */
async function writeSlice(
  { ctx, signal }: Task,
  op: string,
  slice: object,
  rows: number,
  tell?: (result: SliceResult) => void,
): Promise<number> {
  const since = performance.now();
  for (;;) {
    try {
      const started = performance.now();
      const result = await ctx.db.writer.write<SliceResult>(op, slice);
      tell?.(result);
      await Bun.sleep(Math.min(MAX_PAUSE_MS, Math.ceil(performance.now() - started)));
      if (result.ms > LONG_MS) return Math.max(8, Math.floor(rows / 2));
      return result.ms < SHORT_MS ? Math.min(MAX_ROWS, Math.ceil(rows * 1.5)) : rows;
    } catch (error) {
      signal.throwIfAborted();
      const passes = error instanceof AppError && error.status === 503;
      if (!passes || performance.now() - since > PATIENCE_MS) throw error;
      await Bun.sleep(RETRY_MS);
    }
  }
}

/** Only out of the state in which the work began: somebody may have asked for something else meanwhile. */
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
