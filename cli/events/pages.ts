import type { Ctx } from '../../src/context.ts';
import type { EventPage, StoredEvent } from '../../src/core/events/contract.ts';
import { eventsOf, type PageQuery } from '../../src/core/events/index.ts';
import type { EventScope } from '../../src/core/tenancy/index.ts';

/** The events that match, newest first, in pages; at least one page, which may be empty. */
export const eventPages = async function* (
  ctx: Ctx,
  scope: EventScope,
  query: Omit<PageQuery, 'cursor'>,
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
