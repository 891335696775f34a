import { LRUCache } from 'lru-cache';
import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader, ReaderPart } from '../../../../../db/reader.ts';
import { createSketch, decodeSketch, type Sketch } from '../../../../../lib/sketch.ts';
import { DAY_MS, HOUR_MS } from '../../../../../lib/time.ts';
import type { Link } from '../../../link-tree.ts';
import type { LinkDimension, LinkRow, LinksInput } from '../../../links.ts';
import {
  addToDay,
  byCalls,
  createDays,
  createWanted,
  dimensionOf,
  type Group,
  renameLink,
  toRow,
} from '../../shared/links/link-rows.ts';
import type { LinkDelta } from '../sums/link-deltas.ts';
import { LINK_SUMS } from '../sums/rollup-sums.ts';
import { parseLink } from './link-text.ts';
import { unsealedLinks } from './unsealed-links.ts';

const HOURS_PER_DAY = 24;
const REMEMBERED = 40_000;

/** Links by number. They do not change, and are looked up only with a number that the scope's views returned. */
const linksPart: ReaderPart<LRUCache<number, Link>> = { open: () => new LRUCache({ max: REMEMBERED }) };

/** The links of a project by number; `edges`: those alone that are edges of the graph. */
export function linksOfProject(reader: Reader, project: number, edges = false): Map<number, Link> {
  const kept = reader.share(linksPart);
  const own = edges ? ' AND edge IS NULL' : '';
  const known = reader
    .rows(`SELECT id FROM event_links WHERE project = ?${own}`, [project])
    .flat()
    .map(Number);
  const missing = known.filter((id) => !kept.has(id));
  if (missing.length > 0)
    for (const [id, json] of reader.rows(
      `SELECT id, json FROM event_links WHERE project = ? AND id >= ?${own}`,
      [project, missing.reduce((least, id) => Math.min(least, id))],
    ))
      kept.set(Number(id), parseLink(String(json)));
  return new Map(
    known.flatMap((id): [number, Link][] => {
      const link = kept.get(id);
      return link === undefined ? [] : [[id, link]];
    }),
  );
}

/** Sums of a window by group: whole days and hours of the roll-ups, and unsealed events. */
export function readLinks(reader: Reader, { projects, query }: LinksInput): LinkRow[] {
  const groups = new Map<string, Group>();
  const byProject = projects.map((project) => {
    const unsealed = unsealedLinks(reader, project, query.window);
    const groupOf = createGroups(groups, linksIn(reader, project, unsealed.length > 0, query), query);
    const add = (time: number, link: number, sums: readonly SqlValue[], sign: 1 | -1): void => {
      const group = groupOf(time, link);
      if (group === undefined) return;
      addSums(group, sums, sign);
      addToDay(group, query, { time, calls: sign * Number(sums[0] ?? 0) });
    };
    for (const part of partsOf(query.window, query.bucket))
      for (const [time, link, ...sums] of summed(reader, project, part, query))
        add(Number(time), Number(link), sums, part.sign);
    for (const { hour, dimensions, sums } of unsealed) add(hour * HOUR_MS, dimensions[0], sums, 1);
    return { project, unsealed, groupOf };
  });
  const { percentiles } = query;
  if (percentiles !== undefined) {
    const most = [...groups.values()].sort(byCalls).slice(0, percentiles);
    for (const group of most) group.sketch = createSketch();
    for (const own of byProject) addSketches(reader, own, query);
  }
  return [...groups.values()]
    .filter(({ sums }) => sums.some((sum) => sum !== 0))
    .map((group) => toRow(query.groupBy, group));
}

/** The links that a query is about, with the names that count. Stored sums need only edges where these answer it. */
function linksIn(
  reader: Reader,
  project: number,
  withUnsealed: boolean,
  query: LinksInput['query'],
): Map<number, Link> {
  const links = linksOfProject(reader, project, !withUnsealed && isOfEdges(query));
  const renamed = [...links].map(([id, link]): [number, Link] => [id, renameLink(link, query.renames)]);
  const isWanted = createWanted(query);
  return new Map(renamed.filter(([, link]) => isWanted(link)));
}

type GroupOf = (time: number, link: number) => Group | undefined;

function createGroups(
  groups: Map<string, Group>,
  links: ReadonlyMap<number, Link>,
  query: LinksInput['query'],
): GroupOf {
  const { groupBy, bucket } = query;
  /** By link: the text that all links of a group share, which is made once and not for each row. */
  const keys = new Map<number, { readonly key: Group['key']; readonly id: string }>();
  for (const [id, link] of links) {
    const key = groupBy.map((dimension) => dimensionOf(link, dimension));
    keys.set(id, { key, id: JSON.stringify(key) });
  }
  const ms = bucket === 'hour' ? HOUR_MS : DAY_MS;
  return (time, link) => {
    const found = keys.get(link);
    if (found === undefined) return undefined;
    const start = bucket === undefined ? null : Math.floor(time / ms) * ms;
    const id = start === null ? found.id : `${found.id} ${start}`;
    const known = groups.get(id);
    if (known !== undefined) return known;
    const sums = LINK_SUMS.map(() => 0);
    const group: Group = { key: found.key, time: start, sums, sketch: null, days: createDays(query) };
    groups.set(id, group);
    return group;
  };
}

function addSums(group: Group, sums: readonly SqlValue[], sign: 1 | -1): void {
  for (let i = 0; i < LINK_SUMS.length; i++)
    group.sums[i] = (group.sums[i] as number) + sign * Number(sums[i] ?? 0);
}

/** Dimensions that edges of the graph have. */
const EDGE_DIMENSIONS: readonly string[] = [
  'kind',
  'name',
  'callerKind',
  'callerName',
  'environment',
] satisfies LinkDimension[];

/** Whether the sums by edge answer a query, which are far fewer than those by link. */
function isOfEdges({ groupBy, filters = {}, agent }: LinksInput['query']): boolean {
  if (agent !== undefined) return false;
  const filtered = Object.entries(filters).flatMap(([name, values]) => (values === undefined ? [] : name));
  return [...groupBy, ...filtered].every((name) => EDGE_DIMENSIONS.includes(name));
}

/** Entries to add, or with `sign` -1 to subtract, since the epoch. */
type Part = {
  readonly of: 'hour' | 'day';
  readonly from: number;
  readonly to: number;
  readonly sign: 1 | -1;
};

/** Whole hours and days of a window of whole hours. */
function partsOf({ from, to }: LinksInput['query']['window'], bucket: 'hour' | 'day' | undefined): Part[] {
  const [first, end] = [Math.floor(from / HOUR_MS), Math.ceil(to / HOUR_MS)];
  const [firstDay, endDay] = [Math.ceil(first / HOURS_PER_DAY), Math.floor(end / HOURS_PER_DAY)];
  if (bucket === 'hour' || firstDay > endDay) return [{ of: 'hour', from: first, to: end, sign: 1 }];
  return [
    ...partsOfDay(first, firstDay * HOURS_PER_DAY),
    { of: 'day', from: firstDay, to: endDay, sign: 1 },
    ...partsOfDay(endDay * HOURS_PER_DAY, end),
  ];
}

/** Some hours of a day: these, or the day without the others if they are fewer. */
function partsOfDay(from: number, to: number): Part[] {
  if (to - from <= HOURS_PER_DAY / 2) return [{ of: 'hour', from, to, sign: 1 }];
  const day = Math.floor(from / HOURS_PER_DAY);
  return [
    { of: 'day', from: day, to: day + 1, sign: 1 },
    { of: 'hour', from: day * HOURS_PER_DAY, to: from, sign: -1 },
    { of: 'hour', from: to, to: (day + 1) * HOURS_PER_DAY, sign: -1 },
  ];
}

/** Sums of stored events: `[time, number, ...sums]`. The database adds up: a row has a cost of its own on its way here. */
function summed(
  reader: Reader,
  project: number,
  { of, from, to }: Part,
  query: LinksInput['query'],
): SqlValue[][] {
  const column = isOfEdges(query) ? 'edge' : 'link';
  const [table, ms] = of === 'day' ? [`rollup_${column}s`, DAY_MS] : [`rollup_${column}_hours`, HOUR_MS];
  const sums = LINK_SUMS.map((name) => `sum(${name})`).join(', ');
  return reader.rows(
    `SELECT min(${of}) * ${ms}, ${column}, ${sums} FROM ${table} WHERE project = ? AND ${of} >= ? AND ${of} < ?
     GROUP BY ${column}${(query.bucket ?? query.dailyCalls) === undefined ? '' : `, ${of}`}`,
    [project, from, to],
  );
}

type OfProject = {
  readonly project: number;
  readonly unsealed: readonly LinkDelta[];
  readonly groupOf: GroupOf;
};

/** Adds up the latencies of the groups that have a sketch. */
function addSketches(
  reader: Reader,
  { project, unsealed, groupOf }: OfProject,
  query: LinksInput['query'],
): void {
  if (!isOfEdges(query)) throw new Error('percentiles are of the edges of the graph');
  const edges = [...linksOfProject(reader, project, true).keys()];
  const sketched = edges.filter((edge) => groupOf(0, edge)?.sketch);
  const isPart = sketched.length < edges.length;
  const wanted = JSON.stringify(sketched);
  const only = isPart ? 'AND edge IN (SELECT value FROM json_each(?))' : '';
  for (const { of, from, to, sign } of partsOf(query.window, undefined)) {
    const table = of === 'day' ? 'rollup_edges' : 'rollup_edge_hours';
    const rows = reader.rows(
      `SELECT edge, group_concat(hex(latency_sketch)) FROM ${table}
       WHERE project = ? AND ${of} >= ? AND ${of} < ? AND latency_count > 0 ${only} GROUP BY edge`,
      [project, from, to, ...(isPart ? [wanted] : [])],
    );
    for (const [edge, hex] of rows) {
      const sketch = groupOf(0, Number(edge))?.sketch;
      if (!sketch) continue;
      const into = sign === 1 ? sketch : createSketch();
      for (const one of String(hex).split(',')) decodeSketch(Uint8Array.fromHex(one), into);
      if (sign === -1) for (const [bin, count] of into.entries()) sketch[bin] = (sketch[bin] ?? 0) - count;
    }
  }
  for (const { dimensions, bins } of unsealed) {
    const sketch = groupOf(0, dimensions[0])?.sketch;
    if (sketch) addBins(sketch, bins);
  }
}

function addBins(sketch: Sketch, bins: readonly number[]): void {
  for (let i = 0; i < bins.length; i += 2) {
    const bin = bins[i] as number;
    sketch[bin] = (sketch[bin] ?? 0) + (bins[i + 1] as number);
  }
}
