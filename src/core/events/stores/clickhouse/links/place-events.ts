import { badRequest } from '../../../../../errors.ts';
import type { EventKind, EventStatus } from '../../../contract.ts';
import {
  type Link,
  type LinkNode,
  type LinkTree,
  linkNode,
  linkOf,
  relink,
  type SharedOwn,
} from '../../../link-tree.ts';
import { createNames, ownLinkOf } from '../../../links.ts';
import type { Window } from '../../../selection.ts';
import { addSpan, createSpanTree } from '../../../span-tree.ts';
import type { Engine } from '../engine/engine.ts';
import { int, nothing, raw, sql } from '../engine/sql.ts';
import { FAILED, INPUT, IS_EVENT, inWindow, nearDays, OUTPUT, UNPRICED } from '../reads/conditions.ts';

/** What the graph needs of an event. */
type LinkedRow = {
  readonly project: number;
  readonly ts: number;
  readonly event_id: string;
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly kind: EventKind;
  readonly status: EventStatus;
  readonly is_call: 0 | 1;
  readonly model: string | null;
  readonly agent: string | null;
  readonly agent_version: string | null;
  readonly tool: string | null;
  readonly release: string | null;
  readonly environment: string;
  readonly prompt_name: string | null;
  readonly prompt_version: string | null;
  readonly provider: string | null;
  readonly micros: number | null;
  readonly latency: number | null;
  /** Where the place was kept, that place as JSON; else ''. */
  readonly link: string;
  readonly is_kept: 0 | 1;
  readonly cost: number | null;
  readonly failed: 0 | 1;
  readonly unpriced: 0 | 1;
  readonly input_sum: number;
  readonly output_sum: number;
};

/** An event with its place in the graph. */
export type PlacedEvent = { readonly row: LinkedRow; readonly link: Link };
/** The same of one that may have none. */
export type MaybePlaced = { readonly row: LinkedRow; readonly link: Link | null };

/** Most events whose places are computed at once. */
const MAX_EVENTS = 300_000;
/** Events that may have a place in the graph. */
export const MAY_BE_LINKED = raw('(parent_span_id IS NOT NULL OR agent IS NOT NULL OR tool IS NOT NULL)');

/**
 * The events of a window that have a place in the graph, each call once. The places follow from the traces, which are
 * read with it.
 * @param sums also rows that are left of events which retention deleted
 * @throws AppError 400 for too many events
 */
export async function readPlaced(
  engine: Engine,
  projects: readonly number[],
  window: Window,
  { sums = false } = {},
): Promise<PlacedEvent[]> {
  const placed = await placeAll(engine, projects, window, { sums, most: MAX_EVENTS });
  return placed.filter(
    (one): one is PlacedEvent => one.link !== null && (one.link.kind !== 'model' || one.row.is_call === 1),
  );
}

type Extent = { readonly sums: boolean; readonly most: number };

/** All events that may have a place, also calls that do not count. */
export async function placeAll(
  engine: Engine,
  projects: readonly number[],
  { from, to }: Window,
  { sums, most }: Extent,
): Promise<MaybePlaced[]> {
  const rows = await engine.read<LinkedRow>(
    projects,
    sql`SELECT project, ts, event_id, trace_id, span_id, parent_span_id, kind, status, is_call, model, agent, agent_version, tool,
        release, environment, prompt_name, prompt_version, provider, floor(latency_ms * 1000 + 0.5) AS micros,
        latency_ms AS latency, link, is_kept,
        cost_nano AS cost, ${FAILED} AS failed, ${UNPRICED} AS unpriced, ${INPUT} AS input_sum, ${OUTPUT} AS output_sum
      FROM events FINAL WHERE ${inWindow(projects, nearDays({ from, to }))} 
        AND (${IS_EVENT} AND ${MAY_BE_LINKED}${sums ? raw(" OR is_kept AND link != ''") : nothing}) LIMIT ${int(most + 1)}`,
  );
  if (rows.length > most)
    throw badRequest(
      `start: the graph of agents is computed from at most ${most.toLocaleString('en-US')} events; choose a shorter window`,
    );
  const ownOf = createOwns();
  const isIn = ({ row }: MaybePlaced): boolean => row.ts >= from && row.ts < to;
  const stored = rows.filter(({ is_kept }) => is_kept === 1).map((row) => ({ row, link: linkIn(row.link) }));
  const traces = Map.groupBy(
    rows.filter(({ is_kept }) => is_kept === 0),
    ({ project, trace_id }) => `${project} ${trace_id}`,
  );
  return [...stored, ...traces.values().flatMap((trace) => placeTrace(trace, ownOf))].filter(isIn);
}

const linkIn = (json: string): Link | null => JSON.parse(json) as Link | null;

const NO_IDS = new Int32Array();

function placeTrace(rows: readonly LinkedRow[], ownOf: (row: LinkedRow) => SharedOwn): MaybePlaced[] {
  const tree: LinkTree = { ...createSpanTree<LinkNode>(), heads: new Map<string, LinkNode>() };
  const placed = rows.flatMap((row, place) => {
    const given = { ts: row.ts, own: ownOf(row), ids: NO_IDS, at: 0, seq: 1, place };
    // A second event with the id of a span has a place of its own, and no spans below it.
    const node =
      addSpan<LinkNode>(tree, linkNode({ ...given, span: row.span_id }), row.parent_span_id) ??
      addSpan<LinkNode>(
        tree,
        linkNode({ ...given, span: `${row.span_id} ${row.event_id}` }),
        row.parent_span_id,
      );
    return node === null ? [] : [{ row, node }];
  });
  relink(
    tree,
    placed.map(({ node }) => node),
    () => true,
  );
  return placed.map(({ row, node }) => ({ row, link: row.link === '' ? linkOf(node) : linkIn(row.link) }));
}

/** What events say of the graph, each once. */
function createOwns(): (row: LinkedRow) => SharedOwn {
  const known = new Map<string, SharedOwn>();
  const names = createNames();
  return (row) => {
    const { kind, model, agent, tool, release, environment, prompt_name, prompt_version, provider } = row;
    const said = {
      ...{ kind, model, agent, tool, release, environment, prompt_name, prompt_version, provider },
      agent_version: row.agent_version,
    };
    const id = JSON.stringify(said);
    const found = known.get(id);
    if (found !== undefined) return found;
    const own = ownLinkOf(said, names);
    const shared: SharedOwn = {
      ...own,
      no: known.size,
      asAgent: own.agent === null ? null : { kind: 'agent', name: own.agent },
      asTool: own.kind === 'tool' ? { kind: 'tool', name: own.name } : null,
    };
    known.set(id, shared);
    return shared;
  };
}
