import type { TraceReply, WaterfallReply } from '../../../src/core/events/contract.ts';
import { isAnswered } from '../../../src/core/events/index.ts';
import type { Measure } from '../../../src/core/events/measures.ts';
import type { LabelDimension } from '../../../src/core/events/metrics.ts';
import type {
  FoundUser,
  StoredSpan,
  TagLine,
  UnpricedModel,
  UserFigures,
} from '../../../src/core/events/read-queries.ts';
import type { Window } from '../../../src/core/events/selection.ts';
import { linesOf, readyPrice } from '../../../src/core/pricing/index.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import type { SentEvent } from './random-events.ts';
import {
  ALL,
  type Everything,
  inOrder,
  LABEL_DIMENSIONS,
  LABEL_MEASURES,
  MEASURES,
  SUMS,
} from './read-all.ts';
import { dimensionOf, inputOf, measureAll, outputOf, sum } from './recount.ts';
import { recountTrace, recountWaterfall, sumsOf, toStored } from './recount-traces.ts';

/** What all reads of a project with these events, and no others, have to tell: see `readAll`. */
export function recountAll(sent: readonly SentEvent[]): Everything {
  const events = newestFirst(sent);
  const calls = events.filter(({ is_call }) => is_call);
  const traces = tracesOf(events);
  const sessions = sessionsOf(events);
  const byUser = [...groups(events, ({ user_id }) => user_id)].flatMap(([id, own]) =>
    id === null ? [] : [{ id, own }],
  );
  const users = byKey(byUser, ({ id }) => id);
  const labels = ['userId', ...LABEL_DIMENSIONS] as const;
  return {
    totals: { time: null, ...measuresOf(calls, MEASURES) },
    byDay: rowsByTime(calls, DAY_MS),
    byHour: rowsByTime(calls, HOUR_MS),
    byModel: inOrder(rowsByModel(calls)),
    byLabel: Object.fromEntries(labels.map((name) => [name, inOrder(rowsByLabel(calls, name))])),
    total: events.length,
    events: events.map(toStored),
    found: events.map((event) => ({
      event: toStored(event),
      isCall: event.is_call,
      buckets: event.buckets,
      costNano: event.cost_nano,
      price: event.price,
    })),
    traces: traces.map(({ line }) => line),
    trees: traces.map(({ own }): TraceReply => recountTrace(own)),
    waterfalls: traces.map(({ own }): WaterfallReply => recountWaterfall(own)),
    sessions: sessions.map(({ line }) => line),
    openSessions: sessions.map((session) => ({ truncated: false, isByStart: true, traces: session.traces })),
    conversations: sessions.map(({ own }) => own.map(({ event_id }) => event_id)),
    users: users.map(({ id, own }) => ({
      userId: id,
      figures: figuresOf(own),
      firstSeen: Math.min(...own.map(({ ts }) => ts)),
    })),
    eachUser: users.map(({ own }) => userOf(own)),
    span: spanOf(events),
    tags: tagsOf(calls),
    ...recountCosts(calls),
  };
}

/** Events in the order of lists. */
export const newestFirst = (events: readonly SentEvent[]): SentEvent[] =>
  events.toSorted((a, b) => b.ts - a.ts || (a.event_id < b.event_id ? 1 : -1));

type Row = Readonly<Record<string, unknown>>;

const groups = <K>(events: readonly SentEvent[], keyOf: (event: SentEvent) => K): Map<K, SentEvent[]> =>
  Map.groupBy(events, keyOf);
const byKey = <T>(values: readonly T[], keyOf: (value: T) => string): T[] =>
  values.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
const measuresOf = (calls: readonly SentEvent[], names: readonly Measure[]): Row => {
  const all = measureAll(calls);
  return Object.fromEntries(names.map((name) => [name, all[name]]));
};

const rowsByTime = (calls: readonly SentEvent[], ms: number): Row[] =>
  [...groups(calls, ({ ts }) => Math.floor(ts / ms) * ms)]
    .sort(([a], [b]) => a - b)
    .map(([time, own]) => ({ time, ...measuresOf(own, SUMS) }));

const rowsByModel = (calls: readonly SentEvent[]): Row[] =>
  [...groups(calls, ({ provider, model }) => JSON.stringify([provider, model])).values()].map((own) => ({
    time: null,
    provider: own[0]?.provider,
    model: own[0]?.model,
    ...measuresOf(own, MEASURES),
  }));

/** By user, key or tag, with the dollars of each day. */
export function rowsByLabel(
  calls: readonly SentEvent[],
  name: 'userId' | LabelDimension,
  { from, to }: Window = ALL,
): Row[] {
  const start = Math.floor(from / DAY_MS) * DAY_MS;
  const days = Array.from({ length: Math.ceil((to - start) / DAY_MS) }, (_, day) => start + day * DAY_MS);
  return [...groups(calls, (call) => dimensionOf(call, name))].map(([value, own]) => ({
    time: null,
    [name]: value,
    ...measuresOf(own, LABEL_MEASURES),
    costs: days.map((day) => measureAll(own.filter(({ ts }) => ts >= day && ts < day + DAY_MS)).cost),
  }));
}

/** Traces by their first event, newest first. @param events newest first */
function tracesOf(events: readonly SentEvent[]) {
  const traces = [...groups(events, ({ trace_id }) => trace_id)].map(([trace_id, own]) => {
    const ordered = own.toReversed();
    const first = ordered[0]?.ts ?? 0;
    const root = ordered.find(({ parent_span_id }) => parent_span_id === null) ?? ordered[0];
    const name = root?.name ?? root?.operation ?? '';
    return { first, own: ordered, line: { trace_id, name, ...sumsOf(own) } };
  });
  return traces.sort((a, b) => b.first - a.first || (a.line.trace_id < b.line.trace_id ? 1 : -1));
}

/** Sessions by their last event, newest first. @param events newest first */
function sessionsOf(events: readonly SentEvent[]) {
  return [...groups(events, ({ session_id }) => session_id)].flatMap(([session_id, own]) => {
    if (session_id === null) return [];
    const ordered = own.toReversed();
    const traces = [...groups(ordered, ({ trace_id }) => trace_id)].map(([trace_id, [first]]) => ({
      trace_id,
      start: new Date(first?.ts ?? 0).toISOString(),
    }));
    const line = { session_id, traces: traces.length, ...sumsOf(own) };
    return [{ line, own: ordered, traces: inOrder(traces) }];
  });
}

/** What the events of a user add up to. */
export function figuresOf(events: readonly SentEvent[]): UserFigures {
  const calls = events.filter(({ is_call }) => is_call);
  const { requests, errors, unpriced, inputTokens, outputTokens, cacheReadTokens } = measureAll(calls);
  const times = events.map(({ ts }) => ts);
  return {
    events: events.length,
    requests,
    errors,
    unpriced,
    cost_nano: sum(calls.map(({ cost_nano }) => cost_nano ?? 0)),
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cache_read_tokens: cacheReadTokens,
    first: Math.min(...times),
    last: Math.max(...times),
  };
}

function userOf(events: readonly SentEvent[]): FoundUser {
  const figures = figuresOf(events);
  const days = [...groups(events, ({ ts }) => Math.floor(ts / DAY_MS))].sort(([a], [b]) => a - b);
  return {
    first: figures.first,
    last: figures.last,
    figures,
    days: days.map(([day, own]) => ({ day, figures: figuresOf(own) })),
  };
}

const spanOf = (events: readonly SentEvent[]): StoredSpan =>
  events.length === 0
    ? { firstDay: null, newest: null }
    : {
        firstDay: Math.floor(Math.min(...events.map(({ ts }) => ts)) / DAY_MS) * DAY_MS,
        newest: Math.max(...events.map(({ ts }) => ts)),
      };

function tagsOf(calls: readonly SentEvent[]): TagLine[] {
  const names = [...new Set(calls.flatMap(({ tags }) => Object.keys(tags ?? {})))];
  const lines = names.flatMap((name) => {
    const values = calls.flatMap((call) => dimensionOf(call, `tag:${name}`) ?? []);
    const each = [...new Set(values)].sort();
    // A tag that is always empty is none.
    return each.length === 0 ? [] : { name, calls: values.length, count: each.length, values: each };
  });
  return lines.sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1));
}

/** What `unpriced` and `ledger` tell. */
function recountCosts(
  calls: readonly SentEvent[],
): Pick<Everything, 'unpriced' | 'accounts' | 'tagged' | 'models'> {
  const models = [...groups(calls, ({ provider, model }) => JSON.stringify([provider, model])).values()];
  const isUnpriced = ({ cost_status }: SentEvent): boolean => cost_status === 'unpriced';
  return {
    unpriced: {
      requests: calls.length,
      unpriced: calls.filter(isUnpriced).length,
      models: inOrder(models.filter((own) => own.some(isUnpriced)).map(unpricedModel)),
    },
    accounts: inOrder([...groups(calls, accountKey).values()].map((own) => accountOf(own, null))),
    tagged: inOrder(
      [...groups(calls, (call) => accountKey(call) + tagsText(call)).values()].map((own) =>
        accountOf(own, own[0] === undefined ? null : tagsText(own[0])),
      ),
    ),
    models: inOrder(
      models.map((own) => {
        const { cost, requests, unpriced } = measureAll(own);
        return {
          time: null,
          provider: own[0]?.provider ?? null,
          model: own[0]?.model ?? null,
          cost,
          requests,
          unpriced,
        };
      }),
    ),
  };
}

function unpricedModel(calls: readonly SentEvent[]): UnpricedModel {
  const { requests, unpriced, unpricedInputTokens, unpricedOutputTokens } = measureAll(calls);
  const times = calls.flatMap(({ cost_status, ts }) => (cost_status === 'unpriced' ? ts : []));
  return {
    provider: calls[0]?.provider ?? null,
    model: calls[0]?.model ?? null,
    requests,
    unpriced,
    unpricedInputTokens,
    unpricedOutputTokens,
    firstSeen: Math.min(...times),
    lastSeen: Math.max(...times),
  };
}

export const accountKey = ({ provider, model, cost_status, price }: SentEvent): string =>
  JSON.stringify([provider, model, cost_status, price]);

/** Tags as JSON with the keys in order; null without any. */
export function tagsText({ tags }: SentEvent): string | null {
  const entries = Object.entries(tags ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries));
}

/** The calls of a model with one price, or of one kind without one. */
export function accountOf(calls: readonly SentEvent[], tags: string | null): Row {
  const [first] = calls;
  const lines = calls.flatMap((call) =>
    call.price === null
      ? []
      : (linesOf(readyPrice(call.price), call.buckets, { extras: null, answered: isAnswered(call.status) }) ??
        []),
  );
  const byBucket = [...Map.groupBy(lines, ({ bucket }) => bucket)].map(([bucket, own]) => ({
    bucket,
    tokens: sum(own.map(({ tokens }) => tokens)),
    nano: sum(own.map(({ amount_nano }) => amount_nano)),
  }));
  return {
    provider: first?.provider ?? null,
    model: first?.model ?? null,
    kind: first?.cost_status,
    tags,
    price: first?.price ?? null,
    calls: calls.length,
    tokens: sum(calls.map((call) => inputOf(call) + outputOf(call))),
    nano: sum(calls.map(({ cost_nano }) => cost_nano ?? 0)),
    buckets: inOrder(byBucket.filter(({ tokens }) => tokens > 0)),
  };
}
