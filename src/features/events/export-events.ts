import type { Ctx, Service } from '../../context.ts';
import type { EventPage } from '../../core/events/contract.ts';
import { eventsOf, listSelection, type PageQuery } from '../../core/events/index.ts';
import { type EventScope, ofProject, route } from '../../core/tenancy/index.ts';
import { createShare } from '../../http/share.ts';
import type { FairGate } from '../../lib/fair-gate.ts';
import { exportEventsEndpoint } from './contract.ts';
import { FORMATS } from './export-formats.ts';

type Page = Omit<EventPage, 'total'>;
/** Events read at a time. */
const PAGE = 500;

/** A Parquet export holds up to 16 MB of texts. */
export const runningExports: Service<FairGate> = {
  name: 'event-list.exports',
  open: () => createShare('exports', { running: { total: 12, each: 3 }, waiting: { total: 0, each: 0 } }),
};

/** All events that match, newest first, as a file. They are read as fast as they are taken. */
export const exportEventsRoute = route(exportEventsEndpoint, async (ctx, { query }, { scope }) => {
  const { type, open } = FORMATS[query.format];
  const of = ofProject(scope);
  const selection = listSelection(query, 'calls');
  // The first page is awaited, so that what is wrong with the request is an error and no broken file.
  const leave = await ctx.use(runningExports).enter(scope.organizationId);
  const begin = async () => ({
    first: await readPage(ctx, of, { ...selection, cursor: null, limit: PAGE }),
    file: await open(),
  });
  const { first, file } = await begin().catch((error: unknown) => {
    leave();
    throw error;
  });
  let next: Page | null = first;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // A pull has to enqueue something, and a page may be kept for later bytes.
      for (let isWaiting = true; isWaiting && next !== null; ) {
        const page: Page = next;
        const bytes = await file.write(page.events);
        if (bytes.length > 0) controller.enqueue(bytes);
        isWaiting = bytes.length === 0;
        const { nextCursor: cursor } = page;
        next = cursor === null ? null : await readPage(ctx, of, { ...selection, cursor, limit: PAGE });
      }
      if (next !== null) return;
      controller.enqueue(await file.end());
      controller.close();
      leave();
    },
    cancel: leave,
  });
  const name = `spanledger-events-${new Date(ctx.now()).toISOString().slice(0, 10)}.${query.format}`;
  return new Response(body, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  });
});

async function readPage(ctx: Ctx, scope: EventScope, query: PageQuery): Promise<Page> {
  const page = await eventsOf(ctx).eventsAfter(scope, query);
  return page.parse();
}
