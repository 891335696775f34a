import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { badRequest } from '../../../../../errors.ts';
import { DAY_MS, HOUR_MS } from '../../../../../lib/time.ts';
import type { Dimension } from '../../../metrics.ts';
import { RUN_DIMENSIONS, type RunsQuery } from '../../../query/runs-query.ts';
import type { Window } from '../../../selection.ts';
import { costStatusByte, FLAG, ID_WORDS, KIND, STATUS } from '../columns.ts';
import { withLabels } from '../labels/label-filter.ts';
import { labelValues } from '../labels/label-value.ts';
import { linksOfProject } from '../links/read-links.ts';
import { dimensionValue, isEventDimension } from '../metrics/dimensions.ts';
import { refuseLost } from '../metrics/gaps.ts';
import { groupId } from '../metrics/groups.ts';
import { refuseLongScan } from '../queries/count-events.ts';
import type { Chunk } from '../scan/chunk.ts';
import { type Codes, codesOf, codesOfLabel, keyAt } from '../scan/codes.ts';
import { matchesOf } from '../scan/match.ts';
import type { RowSelection } from '../scan/row-selection.ts';
import { groupEvents } from '../sums/group-events.ts';
import { linkedChunks } from './linked-chunks.ts';
import { createRunTable, type Run, type RunTable } from './run-table.ts';

/** Events that are read for a figure: about two seconds of a reader process. */
const MAX_EVENTS = 20_000_000;
/** How long before and after the window its runs may have calls. */
const BEFORE_MS = HOUR_MS;
const AFTER_MS = DAY_MS;

const UNPRICED = costStatusByte('unpriced');
const FAILED: ReadonlySet<number> = new Set([STATUS.error, STATUS.timeout, STATUS.rate_limited]);

/** Runs with the places of their groups in `keys`, the values of the query's dimensions. */
export type FoundRuns = {
  readonly runs: readonly Run[];
  readonly keys: readonly (readonly (string | null)[])[];
};

/**
 * The runs that began in a window, from the events themselves: so late spans, calls that several spans represent, new
 * prices and erasure need no sums of their own.
 * @throws AppError 400 for a dimension that runs do not have, or too many events
 */
export function readRuns(reader: Reader, { groupBy, filters, window }: RunsQuery): FoundRuns {
  for (const name of groupBy)
    if (isEventDimension(name) && !RUN_DIMENSIONS.some((known) => known === name))
      throw badRequest(
        `groupBy: runs can't be split by ${name}; use ${RUN_DIMENSIONS.join(', ')}, keyId or tag:NAME`,
      );
  refuseLongScan(reader, { filters: {}, calls: false }, window, {
    most: MAX_EVENTS,
    what: 'runs are read event by event:',
  });
  const selection = withLabels(reader, { filters, calls: false });
  const groups = createGroups(reader, groupBy);
  const found: Run[] = [];
  for (const project of reader.projects) {
    refuseLost(reader, project, window);
    const links = linkCodes(reader, project);
    const table = createRunTable();
    const wide = { from: window.from - BEFORE_MS, to: window.to + AFTER_MS };
    for (const chunk of linkedChunks(reader, project, wide)) {
      addCalls(table, chunk, links, wide);
      addHeads(table, chunk, { links, groups, selection, window });
    }
    for (const run of table.values()) if (run.group >= 0) found.push(run);
  }
  return { runs: found, keys: groups.keys };
}

/** By the number of a link: the number of the outermost agent from 1, 0 without one; and whether its span is the head. */
type LinkCodes = {
  readonly agentOf: Uint32Array;
  readonly isHead: Uint8Array;
  readonly agents: readonly string[];
};

function linkCodes(reader: Reader, project: number): LinkCodes {
  const links = linksOfProject(reader, project);
  const most = links.keys().reduce((max, id) => Math.max(max, id), 0);
  const agentOf = new Uint32Array(most + 1);
  const isHead = new Uint8Array(most + 1);
  const numbers = new Map<string, number>();
  for (const [id, { root, head }] of links) {
    if (root === null) continue;
    const number = numbers.get(root) ?? numbers.size + 1;
    numbers.set(root, number);
    agentOf[id] = number;
    isHead[id] = Number(head);
  }
  return { agentOf, isHead, agents: [...numbers.keys()] };
}

const isModel = (kind: number): boolean => kind === KIND.llm || kind === KIND.embedding;
const isCounted = (kind: number, flags: number): boolean => !isModel(kind) || (flags & FLAG.call) !== 0;

function addCalls(table: RunTable, chunk: Chunk, { agentOf }: LinkCodes, { from, to }: Window): void {
  const links = chunk.numbers('link');
  if (links.every((link) => link === 0)) return;
  const present = chunk.present();
  const [kinds, flags, costStatus] = [chunk.bytes('kind'), chunk.bytes('flags'), chunk.bytes('cost_status')];
  const costs = chunk.numbers('cost_nano');
  const ids = chunk.ids('trace_id');
  const ts = chunk.first < from || chunk.last >= to ? chunk.numbers('ts') : null;
  for (let place = 0; place < chunk.events; place++) {
    if (ts !== null && ((ts[place] as number) < from || (ts[place] as number) >= to)) continue;
    const agent = agentOf[links[place] as number] as number;
    if (agent === 0 || present[place] === 0 || !isModel(kinds[place] as number)) continue;
    if (!isCounted(kinds[place] as number, flags[place] as number)) continue;
    const run = table.of(ids, place * ID_WORDS.trace_id, agent);
    const cost = costs[place] as number;
    if (!Number.isNaN(cost)) run.costNano += cost;
    if (costStatus[place] === UNPRICED) run.unpriced++;
    else run.priced++;
  }
}

type Heads = {
  readonly links: LinkCodes;
  readonly groups: Groups;
  readonly selection: RowSelection;
  readonly window: Window;
};

function addHeads(table: RunTable, chunk: Chunk, { links, groups, selection, window }: Heads): void {
  const numbers = chunk.numbers('link');
  const heads = Uint8Array.from(numbers, (link) => links.isHead[link] as number);
  if (!heads.includes(1)) return;
  const mask = matchesOf(chunk, selection, window);
  if (mask === null) return;
  const [kinds, flags] = [chunk.bytes('kind'), chunk.bytes('flags')];
  // As in the sums by link, a call that another span represents stands for nothing.
  for (let place = 0; place < mask.length; place++)
    if (heads[place] === 0 || !isCounted(kinds[place] as number, flags[place] as number)) mask[place] = 0;
  const groupOf = groups.of(chunk, mask, links);
  const [ts, latency] = [chunk.numbers('ts'), chunk.numbers('latency_ms')];
  const status = chunk.bytes('status');
  const ids = chunk.ids('trace_id');
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    const agent = links.agentOf[numbers[place] as number] as number;
    const run = table.of(ids, place * ID_WORDS.trace_id, agent);
    run.group = groupOf(place);
    run.ts = ts[place] as number;
    run.latency = latency[place] as number;
    run.isFailed = FAILED.has(status[place] as number);
  }
}

/** Numbers of groups, in the order in which they were found. */
type Groups = {
  readonly keys: readonly (readonly (string | null)[])[];
  of(chunk: Chunk, mask: Uint8Array, links: LinkCodes): (place: number) => number;
};

function createGroups(reader: Reader, groupBy: readonly Dimension[]): Groups {
  const keys: (string | null)[][] = [];
  const numbers = new Map<string, number>();
  const labels = new Map(
    groupBy.flatMap((name) =>
      isEventDimension(name) ? [] : [[name as Dimension, labelValues(reader, name)]],
    ),
  );
  const codesIn = (chunk: Chunk, name: Dimension, links: LinkCodes): Codes => {
    if (name === 'agent') return agentCodes(chunk, links);
    if (isEventDimension(name)) return codesOf(chunk, name);
    return codesOfLabel(chunk, (label) => labels.get(name)?.get(label) ?? null);
  };
  const numberOf = (key: readonly SqlValue[]): number => {
    const names = groupBy.map((name, i) => dimensionValue(name, key[i] ?? null));
    const id = groupId(names);
    const known = numbers.get(id) ?? keys.push(names) - 1;
    numbers.set(id, known);
    return known;
  };
  return {
    keys,
    of(chunk, mask, links) {
      const codes = groupBy.map((name) => codesIn(chunk, name, links));
      const { of, firsts } = groupEvents(
        chunk.events,
        codes.map((own) => own.codes),
        mask,
      );
      const own = firsts.map((place) => numberOf(keyAt(codes, place)));
      return (place) => own[of[place] as number] ?? 0;
    },
  };
}

const agentCodes = (chunk: Chunk, { agentOf, agents }: LinkCodes): Codes => ({
  codes: Uint32Array.from(chunk.numbers('link'), (link) => agentOf[link] as number),
  valueAt: (code) => agents[code - 1] ?? null,
});
