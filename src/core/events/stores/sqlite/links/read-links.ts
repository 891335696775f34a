import { LRUCache } from 'lru-cache';
import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader, ReaderPart } from '../../../../../db/reader.ts';
import { createSketch, decodeSketch, type Sketch, sketchQuantile } from '../../../../../lib/sketch.ts';
import { DAY_MS, HOUR_MS } from '../../../../../lib/time.ts';
import type { Link } from '../../../link-tree.ts';
import type { LinkDimension, LinkRow, LinksInput } from '../../../links.ts';
import { LINK_SUMS } from '../sums/rollup-sums.ts';
import { parseLink } from './link-text.ts';
import { unsealedLinks } from './unsealed-links.ts';

const HOURS_PER_DAY = 24;
/** Percentiles need 6 kB per group, so they are computed for up to this many groups. */
const MOST_SKETCHES = 2_000;
const REMEMBERED = 40_000;

/** Links by number. They do not change, and are looked up only with a number that the scope's views returned. */
const linksPart: ReaderPart<LRUCache<number, Link>> = { open: () => new LRUCache({ max: REMEMBERED }) };

/** The links of a project by number. */
export function linksOfProject(reader: Reader, project: number): Map<number, Link> {
  const kept = reader.share(linksPart);
  const known = reader.rows('SELECT id FROM event_links WHERE project = ?', [project]).flat().map(Number);
  const missing = known.filter((id) => !kept.has(id));
  if (missing.length > 0)
    for (const [id, json] of reader.rows('SELECT id, json FROM event_links WHERE project = ? AND id >= ?', [
      project,
      missing.reduce((least, id) => Math.min(least, id)),
    ]))
      kept.set(Number(id), parseLink(String(json)));
  return new Map(
    known.flatMap((id): [number, Link][] => {
      const link = kept.get(id);
      return link === undefined ? [] : [[id, link]];
    }),
  );
}

type Group = {
  readonly key: readonly (string | null)[];
  readonly time: number | null;
  readonly sums: number[];
  sketch: Sketch | null;
};

/** Sums of a window by group: whole days and hours of the roll-ups, and unsealed events. */
export function readLinks(reader: Reader, input: LinksInput): LinkRow[] {
  const { projects, query } = input;
  const groups = new Map<string, Group>();
  for (const project of projects) {
    const links = linksOfProject(reader, project);
    const renamed = [...links].map(([id, link]): [number, Link] => [id, renameLink(link, query.renames)]);
    const wanted = new Map(renamed.filter(([, link]) => isWanted(link, query.filters)));
    const add = createAdder(groups, wanted, query);
    for (const part of partsOf(query.window, query.bucket)) addStored(reader, project, part, { add, query });
    for (const { hour, dimensions, sums, bins } of unsealedLinks(reader, project, query.window))
      add(hour * HOUR_MS, dimensions[0], sums, (sketch) => addBins(sketch, bins));
  }
  const withTimes = query.percentiles === true && groups.size <= MOST_SKETCHES;
  return [...groups.values()]
    .filter(({ sums }) => sums.some((sum) => sum !== 0))
    .map((group) => toRow(query.groupBy, group, withTimes));
}

type Add = (time: number, link: number, sums: readonly SqlValue[], bins: (sketch: Sketch) => void) => void;

function createAdder(
  groups: Map<string, Group>,
  links: ReadonlyMap<number, Link>,
  { groupBy, bucket, percentiles }: LinksInput['query'],
): Add {
  /** By link: the text that all links of a group share, which is made once and not for each row. */
  const keys = new Map<number, { readonly key: Group['key']; readonly id: string }>();
  for (const [id, link] of links) {
    const key = groupBy.map((dimension) => dimensionOf(link, dimension));
    keys.set(id, { key, id: JSON.stringify(key) });
  }
  const ms = bucket === 'hour' ? HOUR_MS : DAY_MS;
  return (time, link, sums, bins) => {
    const found = keys.get(link);
    if (found === undefined) return;
    const start = bucket === undefined ? null : Math.floor(time / ms) * ms;
    const id = start === null ? found.id : `${found.id} ${start}`;
    let group = groups.get(id);
    if (group === undefined) {
      group = { key: found.key, time: start, sums: LINK_SUMS.map(() => 0), sketch: null };
      groups.set(id, group);
    }
    for (let i = 0; i < LINK_SUMS.length; i++)
      group.sums[i] = (group.sums[i] as number) + Number(sums[i] ?? 0);
    if (percentiles !== true || groups.size > MOST_SKETCHES) return;
    group.sketch ??= createSketch();
    bins(group.sketch);
  };
}

type Part = { readonly of: 'hour' | 'day'; readonly from: number; readonly to: number };

/** Whole hours and days of a window of whole hours, since the epoch. */
function partsOf({ from, to }: LinksInput['query']['window'], bucket: 'hour' | 'day' | undefined): Part[] {
  const [first, end] = [Math.floor(from / HOUR_MS), Math.ceil(to / HOUR_MS)];
  const [firstDay, endDay] = [Math.ceil(first / HOURS_PER_DAY), Math.floor(end / HOURS_PER_DAY)];
  if (bucket === 'hour' || firstDay >= endDay) return [{ of: 'hour', from: first, to: end }];
  return [
    { of: 'hour', from: first, to: firstDay * HOURS_PER_DAY },
    { of: 'day', from: firstDay, to: endDay },
    { of: 'hour', from: endDay * HOURS_PER_DAY, to: end },
  ];
}

function addStored(
  reader: Reader,
  project: number,
  { of, from, to }: Part,
  { add, query: { bucket, percentiles } }: { readonly add: Add; readonly query: LinksInput['query'] },
): void {
  const [table, ms] = of === 'day' ? ['rollup_links', DAY_MS] : ['rollup_link_hours', HOUR_MS];
  const sketches = percentiles === true ? 'group_concat(hex(latency_sketch))' : "''";
  // The database adds up first: a row has a cost of its own on its way here.
  const rows = reader.rows(
    `SELECT min(${of}), link, ${sketches}, ${LINK_SUMS.map((name) => `sum(${name})`).join(', ')} FROM ${table}
     WHERE project = ? AND ${of} >= ? AND ${of} < ? GROUP BY link${bucket === undefined ? '' : `, ${of}`}`,
    [project, from, to],
  );
  for (const [time, link, hex, ...sums] of rows)
    add(Number(time) * ms, Number(link), sums, (into) => {
      for (const one of String(hex).split(',')) decodeSketch(Uint8Array.fromHex(one), into);
    });
}

function addBins(sketch: Sketch, bins: readonly number[]): void {
  for (let i = 0; i < bins.length; i += 2) {
    const bin = bins[i] as number;
    sketch[bin] = (sketch[bin] ?? 0) + (bins[i + 1] as number);
  }
}

/** The link with the names that count. */
function renameLink(link: Link, renames: LinksInput['query']['renames']): Link {
  if (renames === undefined) return link;
  const { kind, name, caller, root } = link;
  const rename = (of: 'agent' | 'tool', given: string): string =>
    Object.hasOwn(renames[of], given) ? (renames[of][given] ?? given) : given;
  return {
    ...link,
    name: kind === 'model' ? name : rename(kind, name),
    caller: caller === null ? null : { kind: caller.kind, name: rename(caller.kind, caller.name) },
    root: root === null ? null : rename('agent', root),
  };
}

const isWanted = (link: Link, filters: LinksInput['query']['filters'] = {}): boolean =>
  Object.entries(filters).every(
    ([dimension, values]) =>
      values === undefined || values.includes(dimensionOf(link, dimension as LinkDimension)),
  );

function dimensionOf(
  { kind, name, caller, root, head, facts }: Link,
  dimension: LinkDimension,
): string | null {
  const [release = null, environment = null, promptName = null, promptVersion = null, provider = null] =
    facts;
  switch (dimension) {
    case 'kind':
      return kind;
    case 'name':
      return name;
    case 'callerKind':
      return caller?.kind ?? null;
    case 'callerName':
      return caller?.name ?? null;
    case 'root':
      return root;
    case 'head':
      return head ? 'yes' : 'no';
    case 'release':
      return release;
    case 'environment':
      return environment;
    case 'promptName':
      return promptName;
    case 'promptVersion':
      return promptVersion;
    case 'provider':
      return provider;
  }
}

function toRow(groupBy: readonly LinkDimension[], group: Group, withTimes: boolean): LinkRow {
  const [
    calls = 0,
    errors = 0,
    costNano = 0,
    unpriced = 0,
    inputTokens = 0,
    outputTokens = 0,
    micros = 0,
    timed = 0,
  ] = group.sums;
  const quantile = (q: number): number | null => {
    const value = withTimes && group.sketch !== null ? sketchQuantile(group.sketch, q) : null;
    return value === null ? null : value / 1000;
  };
  return {
    ...Object.fromEntries(groupBy.map((dimension, i) => [dimension, group.key[i] ?? null])),
    time: group.time,
    calls,
    errors,
    costNano,
    unpriced,
    inputTokens,
    outputTokens,
    latencyAvg: timed === 0 ? null : micros / timed / 1000,
    latencyP50: quantile(0.5),
    latencyP95: quantile(0.95),
  };
}
