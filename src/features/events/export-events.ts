import { stringify } from 'csv-stringify/sync';
import type { Ctx } from '../../context.ts';
import type { EventPage, StoredEvent } from '../../core/events/contract.ts';
import { eventsOf, listSelection, type PageQuery } from '../../core/events/index.ts';
import { type EventScope, ofProject, route } from '../../core/tenancy/index.ts';
import { exportEventsEndpoint } from './contract.ts';

type Page = Omit<EventPage, 'total'>;
/** Events read at a time. */
const PAGE = 500;

const CSV_COLUMNS = [
  'timestamp',
  'event_id',
  'trace_id',
  'span_id',
  'parent_span_id',
  'kind',
  'name',
  'provider',
  'model',
  'operation',
  'status',
  'error_code',
  'error_message',
  'latency_ms',
  'ttft_ms',
  'input_tokens',
  'output_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost_usd',
  'cost_status',
  'stream',
  'environment',
  'user_id',
  'session_id',
  'agent',
  'tool',
  'release',
  'prompt_name',
  'prompt_version',
  'prompt_hash',
  'sdk_version',
  'finish_reason',
  'tags',
  'metadata',
] as const satisfies (keyof StoredEvent)[];

/** How a page of events is written: NDJSON with all fields, CSV with a heading and no formulas (OWASP). */
const FORMATS = {
  ndjson: {
    type: 'application/x-ndjson; charset=utf-8',
    write: (events: readonly StoredEvent[]): string =>
      events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  },
  csv: {
    type: 'text/csv; charset=utf-8',
    write: (events: readonly StoredEvent[], isFirst: boolean): string =>
      stringify([...events], {
        columns: [...CSV_COLUMNS],
        header: isFirst,
        record_delimiter: 'windows',
        escape_formulas: true,
        cast: { boolean: String, object: (value) => JSON.stringify(value) },
      }),
  },
} as const;

/** All events that match, newest first, as a file. They are read as fast as they are taken. */
export const exportEventsRoute = route(exportEventsEndpoint, async (ctx, { query }, { scope }) => {
  const { type, write } = FORMATS[query.format];
  const of = ofProject(scope);
  const selection = listSelection(query, 'calls');
  // The first page is awaited, so that what is wrong with the request is an error and no broken file.
  const first = await readPage(ctx, of, { ...selection, cursor: null, limit: PAGE });
  let next: Page | null = first;
  let isFirst = true;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next === null) return controller.close();
      const page: Page = next;
      controller.enqueue(new TextEncoder().encode(write(page.events, isFirst)));
      isFirst = false;
      const { nextCursor } = page;
      next =
        nextCursor === null
          ? null
          : await readPage(ctx, of, { ...selection, cursor: nextCursor, limit: PAGE });
    },
  });
  const name = `spanledger-events-${new Date(ctx.now()).toISOString().slice(0, 10)}.${query.format}`;
  return new Response(body, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    },
  });
});

async function readPage(ctx: Ctx, scope: EventScope, query: PageQuery): Promise<Page> {
  const page = await eventsOf(ctx).eventsAfter(scope, query);
  return page.parse();
}
