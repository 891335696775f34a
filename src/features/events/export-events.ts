import type { Ctx, Service } from '../../context.ts';
import { eventsOf, listSelection, orderOf, type PageQuery } from '../../core/events/index.ts';
import { type EventScope, ofProject, route } from '../../core/tenancy/index.ts';
import { badRequest } from '../../errors.ts';
import { createShare } from '../../http/share.ts';
import type { FairGate } from '../../lib/fair-gate.ts';
import { exportEventsEndpoint, MAX_SORTED_EXPORT } from './contract.ts';
import { csvColumns, FORMATS } from './export-formats.ts';
import { type FilePiece, writeFileWork } from './write-file.ts';

/** Events read at a time; in another order than by time, each page reads the whole range. */
const PAGE = 500;
const SORTED_PAGE = 5_000;

/** A Parquet export holds up to 16 MB of texts. */
export const runningExports: Service<FairGate> = {
  name: 'event-list.exports',
  open: () => createShare('exports', { running: { total: 12, each: 3 }, waiting: { total: 0, each: 0 } }),
};

/** @throws AppError 400 for more events than an export in an order other than by time may have */
async function refuseLongSort(ctx: Ctx, scope: EventScope, query: PageQuery): Promise<void> {
  const { total } = (await eventsOf(ctx).events(scope, { ...query, limit: 1 })).parse();
  if (total <= MAX_SORTED_EXPORT) return;
  const [most, found] = [MAX_SORTED_EXPORT, total].map((count) => count.toLocaleString('en-US'));
  throw badRequest(
    `sort: a sorted export has at most ${most} events, not ${found}; choose less time or sort=time`,
  );
}

/** All events that match, in the order asked for, as a file. They are read as fast as they are taken. */
export const exportEventsRoute = route(exportEventsEndpoint, async (ctx, { query }, { scope }) => {
  const { format } = query;
  const of = ofProject(scope);
  const selection = listSelection(query, 'calls');
  const fields = query.fields?.split(',');
  if (fields !== undefined) csvColumns(fields);
  const order = orderOf(query);
  const isSorted = order !== undefined && order.by !== 'time';
  if (isSorted) await refuseLongSort(ctx, of, { ...selection, cursor: null, limit: 1 });
  const limit = isSorted ? SORTED_PAGE : PAGE;
  const readPage = async (cursor: string | null): Promise<string> =>
    (await eventsOf(ctx).eventsAfter(of, { ...selection, order, cursor, limit })).text;
  const leave = await ctx.use(runningExports).enter(scope.organizationId);
  const file = ctx.workers.start(writeFileWork, { format, fields });
  const end = (): void => {
    file.stop();
    leave();
  };
  // The first page is awaited, so that what is wrong with the request is an error and no broken file.
  const begin = async (): Promise<string> => {
    await file.next(null);
    return readPage(null);
  };
  let page: string | null = await begin().catch((error: unknown) => {
    end();
    throw error;
  });
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        // A pull has to enqueue something, and a page may be kept for later bytes.
        for (let isWaiting = true; isWaiting && page !== null; ) {
          const { bytes, cursor } = pieceOf(await file.next(page));
          if (bytes.length > 0) controller.enqueue(bytes);
          isWaiting = bytes.length === 0;
          page = cursor === null ? null : await readPage(cursor);
        }
        if (page !== null) return;
        controller.enqueue(pieceOf(await file.next(null)).bytes);
        controller.close();
        end();
      } catch (error) {
        end();
        throw error;
      }
    },
    cancel: end,
  });
  const name = `spanledger-events-${new Date(ctx.now()).toISOString().slice(0, 10)}.${format}`;
  return new Response(body, {
    headers: {
      'Content-Type': FORMATS[format].type,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  });
});

function pieceOf(piece: FilePiece | undefined): FilePiece {
  if (piece === undefined) throw new Error('the file ended early');
  return piece;
}
