import type { Ctx } from '../../src/context.ts';
import type { EventPage, StoredEvent } from '../../src/core/events/contract.ts';
import { type EventsPageQuery, eventsOf } from '../../src/core/events/index.ts';
import type { EventScope } from '../../src/core/tenancy/index.ts';
import type { RemoteServer } from '../remote/server.ts';

/** Events in pages, newest first or in an order; at least one page, which may be empty. */
type Pages = AsyncIterable<readonly StoredEvent[]>;

/** The events in the file that match. */
export const eventPages = async function* (
  ctx: Ctx,
  scope: EventScope,
  query: Omit<EventsPageQuery, 'cursor'>,
): AsyncGenerator<readonly StoredEvent[]> {
  let cursor: string | null = null;
  do {
    const page: Omit<EventPage, 'total'> = (
      await eventsOf(ctx).eventsAfter(scope, { ...query, cursor })
    ).parse();
    yield page.events;
    cursor = page.nextCursor;
  } while (cursor !== null);
};

/** What of `GET /v1/events` is asked for; the bounds are ISO 8601. */
export interface RemoteEvents {
  readonly projectId: string;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly filter?: string | undefined;
  readonly calls: boolean;
  readonly sort?: string | undefined;
  readonly order?: string | undefined;
  /** Events in a page, at most 200. */
  readonly limit: number;
}

/** The events of a server that match. */
export const remoteEventPages = async function* (
  server: RemoteServer,
  { calls, ...query }: RemoteEvents,
): AsyncGenerator<readonly StoredEvent[]> {
  const { listEventsEndpoint } = await import('../../src/core/events/list/contract.ts');
  const kind = calls ? undefined : 'all';
  let cursor: string | undefined;
  do {
    const page: EventPage = await server.get(listEventsEndpoint, { query: { ...query, kind, cursor } });
    yield page.events;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
};

/** The first events, at most `limit`; `more` if there are others. */
export const firstEvents = async (
  pages: Pages,
  limit: number,
): Promise<{ events: StoredEvent[]; more: boolean }> => {
  const events: StoredEvent[] = [];
  for await (const page of pages) {
    events.push(...page);
    if (events.length > limit) break;
  }
  return { events: events.slice(0, limit), more: events.length > limit };
};
