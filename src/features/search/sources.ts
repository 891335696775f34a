import type { Ctx } from '../../context.ts';
import { eventsOf } from '../../core/events/index.ts';
import { listKeys } from '../../core/keys/index.ts';
import { listPrompts } from '../../core/prompts/index.ts';
import type { EventScope, ProjectScope } from '../../core/tenancy/index.ts';
import { DAY_MS } from '../../lib/time.ts';
import { LIBRARY, type SearchKind, type SearchResult } from './contract.ts';

/** Most results of a kind. */
const MOST = 5;
/** Days in which users and models are looked for. */
const DAYS = 30;
/** Newest events whose prompts are read. */
const PROMPT_EVENTS = 500;

/** What a source searches. `text` is trimmed. */
export type Asked = {
  readonly ctx: Ctx;
  readonly scope: ProjectScope;
  readonly of: EventScope;
  readonly text: string;
};

type Source = (asked: Asked) => Promise<readonly SearchResult[]>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Ids have no spaces, and short ones would be found by nobody. */
const isId = (text: string): boolean => /^\S{4,128}$/.test(text);

const result = (
  kind: SearchKind,
  id: string,
  { label = id, detail = null, at = null }: Partial<Pick<SearchResult, 'label' | 'detail' | 'at'>> = {},
): SearchResult => ({ kind, id, label, detail, at });

const lastDays = (ctx: Ctx, days: number) => ({ from: ctx.now() - days * DAY_MS, to: ctx.now() + DAY_MS });

const findEvent: Source = async ({ ctx, of, text }) => {
  if (!UUID.test(text)) return [];
  const found = await eventsOf(ctx).event(of, { id: text.toLowerCase(), ts: null });
  if (found === null) return [];
  const { event_id, model, name, operation, timestamp } = found.event;
  return [result('event', event_id, { label: model ?? name ?? operation, detail: event_id, at: timestamp })];
};

const findTrace: Source = async ({ ctx, of, text }) => {
  if (!isId(text)) return [];
  const line = await eventsOf(ctx).traceLine(of, text);
  return line === null ? [] : [result('trace', line.trace_id, { label: line.name || text, detail: text })];
};

/** The session of that id at any time; of the last day also those whose ids begin so. */
const findSessions: Source = async ({ ctx, of, text }) => {
  if (!isId(text)) return [];
  const query = { calls: false, cursor: null } as const;
  const where = [{ field: 'session' as const, not: false, globs: [`${text.toLowerCase()}*`] }];
  const [whole, begun] = await Promise.all([
    eventsOf(ctx).sessions(of, {
      ...query,
      filters: { sessionId: text },
      window: { from: 0, to: 8.64e15 },
      limit: 1,
    }),
    eventsOf(ctx).sessions(of, { ...query, filters: { where }, window: lastDays(ctx, 1), limit: MOST }),
  ]);
  const ids = [whole, begun].flatMap((page) => page.parse().sessions.map(({ session_id }) => session_id));
  return [...new Set(ids)].slice(0, MOST).map((id) => result('session', id));
};

const findUsers: Source = async ({ ctx, of, text }) => {
  const start = (time: number): number => Math.floor(time / DAY_MS) * DAY_MS;
  const window = { from: start(ctx.now()) - DAYS * DAY_MS, to: start(ctx.now()) + DAY_MS };
  const { users } = await eventsOf(ctx).users(of, {
    window,
    filters: {},
    search: text,
    sort: 'lastSeen',
    desc: true,
    cursor: null,
    limit: MOST,
  });
  return users.map(({ userId }) => result('user', userId));
};

const findModels: Source = async ({ ctx, of, text }) => {
  const { models } = await eventsOf(ctx).metrics(of, {
    models: { measures: ['requests'], groupBy: ['provider', 'model'], window: lastDays(ctx, DAYS) },
  });
  const wanted = text.toLowerCase();
  return models
    .filter(({ model }) => model?.toLowerCase().includes(wanted))
    .toSorted((a, b) => b.requests - a.requests)
    .slice(0, MOST)
    .map(({ provider, model }) => result('model', model ?? '', { detail: provider }));
};

/** Prompts of the library first, then names that only events have. */
const findPrompts: Source = async (asked) => {
  const [library, called] = await Promise.all([findInLibrary(asked), findCalledPrompts(asked)]);
  const known = new Set(library.map(({ id }) => id));
  return [...library, ...called.filter(({ id }) => !known.has(id))].slice(0, MOST);
};

const findInLibrary: Source = async ({ ctx, scope, text }) => {
  const { prompts } = await listPrompts(ctx, scope.projectId, { q: text, limit: MOST });
  return prompts.map(({ name }) => result('prompt', name, { detail: LIBRARY }));
};

const findCalledPrompts: Source = async ({ ctx, of, text }) => {
  const where = [{ field: 'prompt' as const, not: false, globs: [`*${text.toLowerCase()}*`] }];
  const events = await eventsOf(ctx).newest(of, {
    filters: { where },
    calls: false,
    window: lastDays(ctx, 1),
    limit: PROMPT_EVENTS,
    fields: ['prompt_name'],
  });
  const names = new Set(events.flatMap(({ prompt_name }) => prompt_name ?? []));
  return [...names].slice(0, MOST).map((name) => result('prompt', name));
};

/** A whole key that was pasted is found by its prefix, which is all that is kept of it. */
const findKeys: Source = async ({ ctx, scope, text }) => {
  const wanted = text.toLowerCase();
  const keys = await listKeys(ctx, scope.projectId);
  return keys
    .filter(
      ({ name, prefix }) =>
        name.toLowerCase().includes(wanted) || prefix.startsWith(text) || text.startsWith(prefix),
    )
    .slice(0, MOST)
    .map(({ id, name, prefix, state }) => result('key', id, { label: name, detail: `${prefix}… ${state}` }));
};

/** In the order of results: what an id finds comes first. */
export const SOURCES: Readonly<Record<SearchKind, Source>> = {
  event: findEvent,
  trace: findTrace,
  session: findSessions,
  user: findUsers,
  model: findModels,
  prompt: findPrompts,
  key: findKeys,
};
