import { addToSketch, createSketch } from '../../../../../lib/sketch.ts';
import { DAY_MS, HOUR_MS } from '../../../../../lib/time.ts';
import type { LinkRow, LinksQuery, LinkTimes } from '../../../links.ts';
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
import type { Engine } from '../engine/engine.ts';
import { ints, sql } from '../engine/sql.ts';
import { IS_EVENT } from '../reads/conditions.ts';
import { type PlacedEvent, readPlaced } from './place-events.ts';

/** Sums of what agents and tools call, by group. */
export async function readLinks(
  engine: Engine,
  projects: readonly number[],
  query: LinksQuery,
): Promise<LinkRow[]> {
  const { from, to } = query.window;
  const window = { from: Math.floor(from / HOUR_MS) * HOUR_MS, to: Math.ceil(to / HOUR_MS) * HOUR_MS };
  const placed = await readPlaced(engine, projects, window, { sums: true });
  const groups = new Map<string, Group>();
  const events = new Map<Group, PlacedEvent[]>();
  const ms = query.bucket === 'hour' ? HOUR_MS : DAY_MS;
  const isWanted = createWanted(query);
  for (const one of placed) {
    const link = renameLink(one.link, query.renames);
    if (!isWanted(link)) continue;
    const key = query.groupBy.map((dimension) => dimensionOf(link, dimension));
    const time = query.bucket === undefined ? null : Math.floor(one.row.ts / ms) * ms;
    const id = JSON.stringify([time, key]);
    const group: Group = groups.get(id) ?? {
      key,
      time,
      sums: [0, 0, 0, 0, 0, 0, 0, 0],
      sketch: null,
      days: createDays(query),
    };
    groups.set(id, group);
    addEvent(group, one);
    addToDay(group, query, { time: one.row.ts, calls: 1 });
    const own = events.get(group) ?? [];
    events.set(group, own);
    own.push(one);
  }
  for (const group of [...groups.values()].sort(byCalls).slice(0, query.percentiles ?? 0)) {
    group.sketch = createSketch();
    for (const { row } of events.get(group) ?? [])
      if (row.micros !== null) addToSketch(group.sketch, row.micros);
  }
  return [...groups.values()].map((group) => toRow(query.groupBy, group));
}

/** The sums are calls, failures, cost, calls without a price, tokens, and latency with its number. */
function addEvent({ sums }: Group, { row }: PlacedEvent): void {
  const added = [
    1,
    row.failed,
    row.cost ?? 0,
    row.unpriced,
    row.input_sum,
    row.output_sum,
    row.micros ?? 0,
    row.micros === null ? 0 : 1,
  ];
  for (const [place, value] of added.entries()) sums[place] = (sums[place] ?? 0) + value;
}

/** The hours in which each agent, tool and model was first and last seen. */
export async function readLinkTimes(engine: Engine, projects: readonly number[]): Promise<LinkTimes[]> {
  const [span] = await engine.read<{ first: number; last: number; events: number }>(
    projects,
    sql`SELECT min(ts) AS first, max(ts) AS last, count() AS events FROM events
      WHERE project IN ${ints(projects)} AND (${IS_EVENT} OR link != '')`,
  );
  if (span === undefined || span.events === 0) return [];
  const found = new Map<string, LinkTimes>();
  const all = { from: span.first, to: span.last + 1 };
  for (const { row, link } of await readPlaced(engine, projects, all, { sums: true })) {
    const hour = Math.floor(row.ts / HOUR_MS) * HOUR_MS;
    const { kind, name, caller, root } = link;
    const seen = [
      { kind, name },
      ...(caller === null ? [] : [caller]),
      ...(root === null ? [] : [{ kind: 'agent' as const, name: root }]),
    ];
    for (const one of seen) {
      const key = JSON.stringify([one.kind, one.name]);
      const known = found.get(key) ?? { kind: one.kind, name: one.name, first: hour, last: hour };
      found.set(key, { ...known, first: Math.min(known.first, hour), last: Math.max(known.last, hour) });
    }
  }
  return [...found.values()];
}
