import type { Service } from '../../../context.ts';
import { route } from '../../../core/tenancy/index.ts';
import { createShare } from '../../../http/share.ts';
import type { FairGate } from '../../../lib/fair-gate.ts';
import { monthKey } from '../../../lib/time.ts';
import { focusEndpoint } from './contract.ts';
import { FOCUS_TYPES } from './focus-file.ts';
import { readFocusRows } from './read-month.ts';
import { writeFocusWork } from './write-focus.ts';

/** An export holds the charges of a day of a project. */
export const runningFocusExports: Service<FairGate> = {
  name: 'costs.focus_exports',
  open: () =>
    createShare('FOCUS exports', { running: { total: 6, each: 2 }, waiting: { total: 0, each: 0 } }),
};

/** A month's dataset as a file, which is read as fast as it is taken. */
export const focusRoute = route(focusEndpoint, async (ctx, { query: { month, format } }, organization) => {
  const leave = await ctx.use(runningFocusExports).enter(organization.organizationId);
  const rows = readFocusRows(ctx, organization, month);
  const file = ctx.workers.start(writeFocusWork, { format });
  const end = (): void => {
    file.stop();
    leave();
    void rows.return();
  };
  /** The bytes that the next rows add, which may be none. Null after the end of the file. */
  let isOver = false;
  const next = async (): Promise<Uint8Array | null> => {
    if (isOver) return null;
    const { value } = await rows.next();
    isOver = value === undefined;
    const bytes = await file.next(value ?? null);
    if (bytes === undefined) throw new Error('the file ended early');
    return bytes;
  };
  // The first rows are awaited, so that what is wrong with the request is an error and no broken file.
  let first: Uint8Array | null = await file
    .next(null)
    .then(next)
    .catch((error: unknown) => {
      end();
      throw error;
    });
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        // A pull has to enqueue something, and rows may be kept for later bytes.
        for (;;) {
          const bytes = first ?? (await next());
          first = null;
          if (bytes === null) break;
          if (bytes.length === 0) continue;
          controller.enqueue(bytes);
          return;
        }
        controller.close();
        end();
      } catch (error) {
        end();
        throw error;
      }
    },
    cancel: end,
  });
  return new Response(body, {
    headers: {
      'Content-Type': FOCUS_TYPES[format],
      'Content-Disposition': `attachment; filename="spanledger-focus-${monthKey(month)}.${format}"`,
    },
  });
});
