import type { Reader } from '../../../../../db/reader.ts';
import { badRequest } from '../../../../../errors.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import type { RunsQuery } from '../../../query/runs-query.ts';
import type { Window } from '../../../selection.ts';
import { REACH, refuseOtherDimensions, wideHours } from '../../shared/runs/run-query.ts';
import { createRuns, type FoundRuns, type Runs } from '../../shared/runs/runs.ts';
import { ID_WORDS, STATUS } from '../columns.ts';
import { withLabels } from '../labels/label-filter.ts';
import { refuseLost } from '../metrics/gaps.ts';
import { createKeyNumbers } from './key-numbers.ts';
import { type LinkAgents, linkAgents } from './link-agents.ts';
import { createHeadGroups, type HeadFilter, headFilter, maskHeads } from './run-heads.ts';
import type { RunRows } from './run-rows.ts';
import { type FoundRows, rowsIn } from './stored-rows.ts';

/** Most runs of a figure: each takes some 80 bytes meanwhile. */
const MAX_RUNS = 4_000_000;

const FAILED: ReadonlySet<number> = new Set([STATUS.error, STATUS.timeout, STATUS.rate_limited]);

/**
 * The runs that began in a window, by trace and outermost agent. They are put together from the rows of segments and
 * batches, which are functions of their events: so late spans, calls that several spans represent, new prices and
 * erasure need nothing of their own.
 * @param source gives the rows of a project
 * @throws AppError 400 for a dimension that runs do not have, or too many runs
 */
export function readRuns(
  reader: Reader,
  { groupBy, filters, window }: Pick<RunsQuery, 'groupBy' | 'filters' | 'window'>,
  source: (...asked: Parameters<typeof rowsIn>) => Iterable<FoundRows> = rowsIn,
): FoundRuns {
  refuseOtherDimensions(groupBy);
  const selection = withLabels(reader, { filters, calls: false });
  const groups = createHeadGroups(reader, groupBy);
  const runs = createRuns();
  const hours = wideHours(window);
  const wide = { from: hours.from * HOUR_MS, to: hours.to * HOUR_MS };
  for (const project of reader.projects) {
    refuseLost(reader, project, window);
    const links = linkAgents(reader, project);
    const filter = headFilter(selection, links);
    const first = runs.count();
    const addCalls = createCallAdder({ runs, links, filter, hours });
    for (const found of source(reader, { project, window: wide, links })) {
      const runOf = addCalls(found.rows);
      if (runs.count() > MAX_RUNS) throw tooMany();
      const mask = maskHeads(found, filter, window);
      if (mask.includes(1))
        setHeads(runs, found.rows, { runOf, mask, groupOf: groups.of(found, mask, links) });
    }
    const beyond = new Set(runs.beyond(first, REACH));
    for (const run of beyond) runs.forgetCalls(run);
    if (beyond.size > 0)
      for (const found of source(reader, { project, window: wide, links })) addCalls(found.rows, beyond);
    runs.keepHeads(first);
  }
  return { runs, keys: groups.keys };
}

type Target = {
  readonly runs: Runs;
  readonly links: LinkAgents;
  readonly filter: HeadFilter;
  readonly hours: Window;
};

/**
 * Adds the calls of rows to their runs; with `only` those within reach of these runs, whose first spans are known.
 * Returns the number of the run of each row, -1 for rows that are not wanted.
 */
function createCallAdder({
  runs,
  links,
  filter,
  hours,
}: Target): (rows: RunRows, only?: ReadonlySet<number>) => Int32Array {
  const numbers = new Map(links.agents.map((name, number) => [name, number]));
  const keys = createKeyNumbers();
  const first = runs.count();
  const isWithin = (run: number, hour: number): boolean => {
    const began = Math.floor(runs.ts(run) / HOUR_MS);
    return hour >= began - REACH.before && hour <= began + REACH.after;
  };
  return ({ agents, calls }, only) => {
    const numberOf = agents.map((name) => numbers.get(name) ?? -1);
    const runOf = new Int32Array(calls.count).fill(-1);
    for (let i = 0; i < calls.count; i++) {
      const agent = numberOf[calls.agent[i] as number] as number;
      const hour = calls.hour[i] as number;
      if (agent < 0 || filter.agents[agent] === 0 || hour < hours.from || hour >= hours.to) continue;
      const run = first + keys.of(calls.trace, i * ID_WORDS.trace_id, agent, 0);
      runOf[i] = run;
      if (only !== undefined && !(only.has(run) && isWithin(run, hour))) continue;
      runs.addCalls(run, calls.costNano[i] as number, calls.state[i] as number, hour);
    }
    return runOf;
  };
}

type Wanted = {
  readonly runOf: Int32Array;
  readonly mask: Uint8Array;
  readonly groupOf: (head: number) => number;
};

function setHeads(runs: Runs, { heads }: RunRows, { runOf, mask, groupOf }: Wanted): void {
  for (let i = 0; i < heads.count; i++) {
    const run = runOf[heads.call[i] as number] as number;
    if (mask[i] === 0 || run < 0) continue;
    runs.setHead(run, {
      group: groupOf(i),
      mark: markOf(heads.link[i] as number, heads.ts[i] as number),
      ts: heads.ts[i] as number,
      latency: heads.latency[i] as number,
      isFailed: FAILED.has(heads.status[i] as number),
    });
  }
}

/** Multipliers that spread small numbers over 32 bits. */
const [SPREAD, OTHER_SPREAD] = [0x9e3779b1, 0x85ebca6b];
const markOf = (link: number, ts: number): number =>
  (Math.imul(link, SPREAD) ^ Math.imul(ts % 2 ** 31, OTHER_SPREAD)) >>> 0;

const tooMany = () =>
  badRequest(
    `start: there are more than ${MAX_RUNS.toLocaleString('en-US')} runs; choose less time, or filter by agent`,
  );
