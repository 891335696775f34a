import type { Ctx } from '../../src/context.ts';
import type { EventPage, StoredEvent } from '../../src/core/events/contract.ts';
import { type EventsPageQuery, eventsOf } from '../../src/core/events/index.ts';
import type { EventScope } from '../../src/core/tenancy/index.ts';

/** The events that match, newest first or in an order, in pages; at least one page, which may be empty. */
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

/** The first events that match, at most `limit`; `more` if there are others. */
export const firstEvents = async (
  ctx: Ctx,
  scope: EventScope,
  query: Omit<EventsPageQuery, 'cursor'>,
  limit: number,
): Promise<{ events: StoredEvent[]; more: boolean }> => {
  const events: StoredEvent[] = [];
  for await (const page of eventPages(ctx, scope, query)) {
    events.push(...page);
    if (events.length > limit) break;
  }
  return { events: events.slice(0, limit), more: events.length > limit };
};
