import type { Ctx } from '../../../../context.ts';
import type { ReadOp } from '../../../../db/reader.ts';
import { JsonText } from '../../../../lib/json-text.ts';
import type { EventScope } from '../../../tenancy/index.ts';
import type { StoredEvent } from '../../contract.ts';
import { withTargets } from '../../filter/targets.ts';
import type { NewestQuery } from '../../read-queries.ts';
import type { EventReads } from '../../store.ts';
import { readEvents } from './damage/read-events.ts';
import { findEvent } from './queries/find-event.ts';
import { listEvents, newestEvents, pageOfEvents } from './queries/list-events.ts';
import { readSpan } from './queries/stored-span.ts';
import { readOp } from './read-op.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { listSessionEvents } from './sessions/session-events.ts';
import { getSession } from './sessions/session-lines.ts';
import { getTraceLine } from './traces/get-line.ts';
import { getTrace } from './traces/get-trace.ts';
import { getWaterfall } from './traces/get-waterfall.ts';
import { listTraces } from './traces/list-traces.ts';
import { readSubjects } from './traces/read-subjects.ts';
import { searchTrace } from './traces/search-trace.ts';

/** Reads of events, traces and sessions. */
type Lists = Pick<
  EventReads,
  | 'events'
  | 'eventsAfter'
  | 'newest'
  | 'event'
  | 'trace'
  | 'waterfall'
  | 'traceLine'
  | 'searchTrace'
  | 'subjects'
  | 'traces'
  | 'sessions'
  | 'session'
  | 'sessionEvents'
  | 'span'
>;

const OPS = {
  events: readOp('events', listEvents),
  eventsAfter: readOp('events-after', pageOfEvents),
  newest: readOp('newest', newestEvents<keyof StoredEvent>),
  event: readOp('event', findEvent),
  trace: readOp('trace', getTrace),
  waterfall: readOp('waterfall', getWaterfall),
  traceLine: readOp('trace-line', getTraceLine),
  searchTrace: readOp('search-trace', searchTrace),
  subjects: readOp('subjects', readSubjects),
  traces: readOp('traces', listTraces),
  sessions: readOp('sessions', listSessions),
  session: readOp('session', getSession),
  sessionEvents: readOp('session-events', listSessionEvents),
  span: readOp('span', readSpan),
};

export const listReads: readonly ReadOp[] = Object.values(OPS);

export function openLists(ctx: Ctx): Lists {
  const ask = async <I, O>(op: ReadOp<I, O>, scope: EventScope, input: I): Promise<JsonText<O>> =>
    readEvents(ctx, op, scope, await withTargets(ctx, scope.projects, input));
  const parse = async <I, O>(op: ReadOp<I, O>, scope: EventScope, input: I): Promise<O> =>
    (await ask(op, scope, input)).parse();
  /** Runs a read whose result may be `null`, detected without parsing the JSON text. */
  async function find<I, O>(
    op: ReadOp<I, O | null>,
    scope: EventScope,
    input: I,
  ): Promise<JsonText<O> | null> {
    const { text } = await ask(op, scope, input);
    return text === 'null' ? null : new JsonText<O>(text);
  }

  return {
    events: (scope, query) => ask(OPS.events, scope, query),
    eventsAfter: (scope, query) => ask(OPS.eventsAfter, scope, query),
    newest: <F extends keyof StoredEvent>(scope: EventScope, query: NewestQuery<F>) =>
      parse<NewestQuery<keyof StoredEvent>, Pick<StoredEvent, F>[]>(OPS.newest, scope, query),
    event: (scope, query) => parse(OPS.event, scope, query),
    trace: (scope, traceId) => find(OPS.trace, scope, traceId),
    waterfall: (scope, traceId) => find(OPS.waterfall, scope, traceId),
    traceLine: (scope, traceId) => parse(OPS.traceLine, scope, traceId),
    searchTrace: (scope, query) => find(OPS.searchTrace, scope, query),
    subjects: (scope, query) => parse(OPS.subjects, scope, query),
    traces: (scope, query) => ask(OPS.traces, scope, query),
    sessions: (scope, query) => ask(OPS.sessions, scope, query),
    session: (scope, sessionId) => find(OPS.session, scope, sessionId),
    sessionEvents: (scope, query) => find(OPS.sessionEvents, scope, query),
    span: (scope) => parse(OPS.span, scope, null),
  };
}
