import type { Ctx } from '../../../../context.ts';
import type { Reader, ReadOp } from '../../../../db/reader.ts';
import { JsonText } from '../../../../lib/json-text.ts';
import type { EventScope } from '../../../tenancy/index.ts';
import type { StoredEvent } from '../../contract.ts';
import type { MetricsAnswers, MetricsQueries } from '../../metrics.ts';
import type { EventQuery, NewestQuery } from '../../read-queries.ts';
import type { EventReads } from '../../store.ts';
import { isTagValueKept, listTags } from './labels/tags.ts';
import { readLedger } from './ledger/read-ledger.ts';
import { answerMetrics } from './queries/answer-metrics.ts';
import { findEvent } from './queries/find-event.ts';
import { listEvents, newestEvents, pageOfEvents } from './queries/list-events.ts';
import { readUnpricedModels } from './queries/unpriced-models.ts';
import { readSpan } from './rows/first-day.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { listSessionEvents } from './sessions/session-events.ts';
import { getSession } from './sessions/session-line.ts';
import { getTrace } from './traces/get-trace.ts';
import { getWaterfall } from './traces/get-waterfall.ts';
import { listTraces } from './traces/list-traces.ts';
import { getUser } from './users/get-user.ts';
import { listUsers } from './users/list-users.ts';

const op = <I, O>(name: string, run: (reader: Reader, input: I) => O): ReadOp<I, O> => ({
  name: `events.${name}`,
  run,
});

const OPS = {
  metrics: op('metrics', answerMetrics),
  events: op('events', listEvents),
  eventsAfter: op('events-after', pageOfEvents),
  newest: op('newest', newestEvents<keyof StoredEvent>),
  event: op('event', (reader, { id, ts }: EventQuery) => findEvent(reader, id, ts)),
  trace: op('trace', getTrace),
  waterfall: op('waterfall', getWaterfall),
  traces: op('traces', listTraces),
  sessions: op('sessions', listSessions),
  session: op('session', getSession),
  sessionEvents: op('session-events', listSessionEvents),
  users: op('users', listUsers),
  user: op('user', getUser),
  span: op('span', readSpan),
  tags: op('tags', listTags),
  keepsTagValue: op('keeps-tag-value', isTagValueKept),
  unpriced: op('unpriced', readUnpricedModels),
  ledger: op('ledger', readLedger),
};

/** The store's read operations, for the manifest; they run in reader processes. */
export const eventReads: readonly ReadOp[] = Object.values(OPS);

export function openReads({ db }: Ctx): EventReads {
  type Ask = <I, O>(op: ReadOp<I, O>, scope: EventScope, input: I) => Promise<JsonText<O>>;
  const ask: Ask = (op, { projects }, input) => db.read(op, projects, input);
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
    metrics: async <const Q extends MetricsQueries>(scope: EventScope, queries: Q) => {
      const answers: unknown = await parse(OPS.metrics, scope, queries);
      return answers as MetricsAnswers<Q>;
    },
    events: (scope, query) => ask(OPS.events, scope, query),
    eventsAfter: (scope, query) => ask(OPS.eventsAfter, scope, query),
    newest: <F extends keyof StoredEvent>(scope: EventScope, query: NewestQuery<F>) =>
      parse<NewestQuery<keyof StoredEvent>, Pick<StoredEvent, F>[]>(OPS.newest, scope, query),
    event: (scope, query) => parse(OPS.event, scope, query),
    trace: (scope, traceId) => find(OPS.trace, scope, traceId),
    waterfall: (scope, traceId) => find(OPS.waterfall, scope, traceId),
    traces: (scope, query) => ask(OPS.traces, scope, query),
    sessions: (scope, query) => ask(OPS.sessions, scope, query),
    session: (scope, sessionId) => find(OPS.session, scope, sessionId),
    sessionEvents: (scope, query) => find(OPS.sessionEvents, scope, query),
    users: (scope, query) => parse(OPS.users, scope, query),
    user: (scope, query) => parse(OPS.user, scope, query),
    span: (scope) => parse(OPS.span, scope, null),
    tags: (scope, query) => parse(OPS.tags, scope, query),
    keepsTagValue: (scope, query) => parse(OPS.keepsTagValue, scope, query),
    unpriced: (scope, query) => parse(OPS.unpriced, scope, query),
    ledger: (scope, query) => parse(OPS.ledger, scope, query),
  };
}
