import type { Ctx } from './context.ts';
import { eventsOf } from './core/events/index.ts';
import { listProjects } from './core/projects/index.ts';
import { ofProject, operatorScope } from './core/tenancy/index.ts';
import { openReadConnection } from './db/connection.ts';
import { fileError } from './db/file/file-error.ts';
import { listChains, verifyChain } from './features/audit/index.ts';
import { countText } from './lib/figures.ts';
import { DAY_MS } from './lib/time.ts';

/** What `verifyFile` found. `problems` is empty if the file is in order. */
export type Verified = {
  readonly projects: number;
  /** Segments and batches whose checksums were compared. */
  readonly segments: number;
  readonly batches: number;
  /** Days of projects whose sums were compared with the events. */
  readonly days: number;
  /** Of these, days that changed each time they were read. */
  readonly unsettled: number;
  readonly auditEntries: number;
  readonly problems: readonly string[];
};

type Progress = (step: string) => void;
type Check = { readonly ctx: Ctx; readonly signal: AbortSignal; readonly onProgress: Progress };

/** Problems of one kind that are listed. */
const MOST = 20;

/**
 * Reads a whole file and changes nothing: its structure, the checksum of every segment and batch, the sums of each day
 * against its events, and the chain of each audit log.
 */
export async function verifyFile({ ctx, signal, onProgress }: Check): Promise<Verified> {
  onProgress('the structure of the file');
  const problems = structureProblems(ctx.db.path);
  const found = { projects: 0, segments: 0, batches: 0, days: 0, unsettled: 0, auditEntries: 0 };
  // Where pages are damaged, what follows would only fail in other words.
  if (problems.length > 0) return { ...found, problems };
  for (const project of await listProjects(ctx)) {
    signal.throwIfAborted();
    onProgress(`the events of project ${project.name}`);
    const scope = operatorScope(project);
    const read = await eventsOf(ctx).readStored(scope, signal);
    found.projects++;
    found.segments += read.segments;
    found.batches += read.batches;
    // Events that were given up are known to be missing: they are no new problem.
    const damaged = read.damaged.filter(({ state }) => state === 'damaged');
    problems.push(
      ...damaged
        .slice(0, MOST)
        .map(
          ({ kind, no, events }) =>
            `${project.name}: ${kind} ${no} with ${countText(events, 'event')} is damaged`,
        ),
    );
    // Totals keep the events of damaged and of lost segments.
    if (read.damaged.length > 0) continue;
    const sums = await compareDays({ ctx, signal, onProgress }, scope, project.name);
    found.days += sums.days;
    found.unsettled += sums.unsettled;
    problems.push(...sums.problems.slice(0, MOST));
  }
  onProgress('the audit log');
  for (const { id, name } of await listChains(ctx)) {
    signal.throwIfAborted();
    const chain = await verifyChain(ctx, id);
    found.auditEntries += chain.entries;
    problems.push(
      ...chain.problems
        .slice(0, MOST)
        .map(({ seq, problem }) => `audit log of ${name}: entry ${seq} ${problem}`),
    );
  }
  return { ...found, problems };
}

/** What SQLite finds in the pages, and rows that refer to rows that are not there. */
function structureProblems(path: string): string[] {
  const connection = openReadConnection(path);
  try {
    const lines = (sql: string): unknown[][] => connection.prepare(sql).raw(true).all([]) as unknown[][];
    const pages = lines(`PRAGMA integrity_check(${MOST})`).map(([line]) => String(line));
    if (pages.join() !== 'ok') return pages.flatMap((text) => text.split('\n'));
    return lines('PRAGMA foreign_key_check')
      .slice(0, MOST)
      .map(([table, row, parent]) => `row ${row} of ${table} refers to a row of ${parent} that is not there`);
  } catch (error) {
    throw fileError(path, error);
  } finally {
    connection.close();
  }
}

const SUMS = ['requests', 'cost_nano', 'input_tokens', 'output_tokens'] as const;
const MEASURES = ['requests', 'cost', 'inputTokens', 'outputTokens'] as const;

/** Compares the sums of each day by model with those of its events, which are read one by one. */
async function compareDays(
  { ctx, signal, onProgress }: Check,
  scope: ReturnType<typeof operatorScope>,
  name: string,
): Promise<{ days: number; unsettled: number; problems: string[] }> {
  const { firstDay, newest } = await eventsOf(ctx).span(ofProject(scope));
  const problems: string[] = [];
  let [days, unsettled] = [0, 0];
  if (firstDay === null || newest === null) return { days, unsettled, problems };
  for (let from = firstDay; from <= newest; from += DAY_MS) {
    signal.throwIfAborted();
    const compared = await compareDay(ctx, scope, from);
    if (compared === null) unsettled++;
    else {
      const day = new Date(from).toISOString().slice(0, 10);
      for (const { model, kept, counted } of compared)
        problems.push(
          `${name}: the sums of ${day} for ${model || 'calls without a model'} are ${kept}, those of its events ${counted} (${MEASURES.join(', ')})`,
        );
    }
    days++;
    if (days % 30 === 0) onProgress(`${days} days of project ${name}`);
  }
  return { days, unsettled, problems };
}

/** How often a day is read that changes meanwhile. */
const TRIES = 5;

type Difference = { readonly model: string; readonly kept: string; readonly counted: string };

/** The models whose sums differ; null for a day that changes each time it is read, as today's does under a server. */
async function compareDay(
  ctx: Ctx,
  scope: ReturnType<typeof operatorScope>,
  from: number,
): Promise<Difference[] | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await keptSums(ctx, scope, from);
    const counted = await countedSums(ctx, scope, from);
    const models = [...new Set([...before.keys(), ...counted.keys()])].filter(
      (model) => before.get(model) !== counted.get(model),
    );
    if (models.length === 0) return [];
    const after = await keptSums(ctx, scope, from);
    if (models.every((model) => before.get(model) === after.get(model)))
      return models.map((model) => ({
        model,
        kept: before.get(model) ?? 'missing',
        counted: counted.get(model) ?? 'none',
      }));
  }
  return null;
}

/** The sums of a day by model, as the product answers with them. */
async function keptSums(
  ctx: Ctx,
  scope: ReturnType<typeof operatorScope>,
  from: number,
): Promise<Map<string, string>> {
  const window = { from, to: from + DAY_MS };
  const query = { measures: MEASURES, groupBy: ['model'], window } as const;
  const { sums } = await eventsOf(ctx).metrics(ofProject(scope), { sums: query });
  return new Map(
    sums.map(({ model, requests, cost, inputTokens, outputTokens }) => [
      model ?? '',
      [requests, Math.round(cost * 1e9), inputTokens, outputTokens].join(', '),
    ]),
  );
}

/** The same, of its events alone. */
async function countedSums(
  ctx: Ctx,
  scope: ReturnType<typeof operatorScope>,
  from: number,
): Promise<Map<string, string>> {
  const read = await eventsOf(ctx).series(ofProject(scope), {
    shapes: [{ filters: {}, groupBy: 'model', sums: SUMS, times: [] }],
    ranges: [{ from, to: from + DAY_MS, step: DAY_MS, shapes: [0] }],
    fromEvents: true,
  });
  const counted = new Map<string, string>();
  for (const { groups, cells } of read.parse())
    for (let at = 0; at < cells.length; at += 2 + SUMS.length)
      counted.set(groups[cells[at + 1] ?? 0] ?? '', cells.slice(at + 2, at + 2 + SUMS.length).join(', '));
  return counted;
}
