import type { Ctx } from '../../context.ts';
import type { StoredEvent } from '../../core/events/contract.ts';
import { type EventQuery, eventsOf, listSelection, orderOf } from '../../core/events/index.ts';
import { getEventEndpoint, listEventsEndpoint, neighboursEndpoint } from '../../core/events/list/contract.ts';
import { type EventScope, ofProject, route } from '../../core/tenancy/index.ts';
import { notFound } from '../../errors.ts';
import { DAY_MS } from '../../lib/time.ts';

/** Only calls unless `kind` asks for other spans. */
export const listEventsRoute = route(listEventsEndpoint, (ctx, { query }, { scope }) => {
  const { cursor = null, limit } = query;
  const page = { order: orderOf(query), cursor, limit };
  return eventsOf(ctx).events(ofProject(scope), { ...listSelection(query, 'calls'), ...page });
});

/** One event. Throws AppError 404. */
export async function readEvent(ctx: Ctx, scope: EventScope, query: EventQuery): Promise<StoredEvent> {
  const found = await eventsOf(ctx).event(scope, query);
  if (found === null) throw notFound(`There is no event ${query.id} in this project`);
  return found.event;
}

/** Its time, where it is known, spares a search for ids that do not begin with theirs. */
export const getEventRoute = route(getEventEndpoint, (ctx, { params, query }, { scope }) =>
  readEvent(ctx, ofProject(scope), { id: params.id, ts: query.timestamp ?? null }),
);

/** How far from an event its neighbours are looked for. */
const REACH_MS = 31 * DAY_MS;
/** More events than this at one millisecond of a session are not told apart. */
const MAX_TIES = 50;

/** The calls around an event in its session. In the order of lists: by time, then by id. */
export const neighboursRoute = route(neighboursEndpoint, async (ctx, { params, query }, { scope }) => {
  const of = ofProject(scope);
  const event = await readEvent(ctx, of, { id: params.id, ts: query.timestamp ?? null });
  if (event.session_id === null) return { previous: null, next: null };
  const ts = Date.parse(event.timestamp);
  const asked = {
    filters: { sessionId: event.session_id, kind: 'llm' },
    calls: true,
    limit: MAX_TIES,
    fields: ['event_id', 'timestamp', 'model'],
  } as const;
  const [before, after] = await Promise.all([
    eventsOf(ctx).newest(of, { ...asked, window: { from: ts - REACH_MS, to: ts + 1 } }),
    eventsOf(ctx).newest(of, { ...asked, order: 'oldest', window: { from: ts, to: ts + REACH_MS } }),
  ]);
  const side = (other: { readonly timestamp: string; readonly event_id: string }): number =>
    Date.parse(other.timestamp) - ts ||
    Number(other.event_id > event.event_id) - Number(other.event_id < event.event_id);
  return {
    previous: before.find((other) => side(other) < 0) ?? null,
    next: after.find((other) => side(other) > 0) ?? null,
  };
});
