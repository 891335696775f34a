import type { BaseContext } from '../command.ts';
import { makeBatches, SPREAD_MS } from './events.ts';
import { percentile, sendAll } from './load.ts';
import type { Target } from './target.ts';

const DAY = 86_400_000;
const BATCH = 100;
/** Batches made at a time; limits memory for large files. */
const FILL_CHUNK = 2_000;

/** Sends the events through the public API, over the last 30 days up to now, as they arrive in life. */
export const fill = async (
  ctx: BaseContext,
  target: Target,
  { events, customers = 0 }: { events: number; customers?: number },
): Promise<void> => {
  const batches = Math.ceil(events / BATCH);
  const to = Date.now();
  const from = to - 30 * DAY;
  const at = (batch: number): number => from + ((to - from) * batch) / batches;
  for (let done = 0; done < batches; done += FILL_CHUNK) {
    const size = Math.min(FILL_CHUNK, batches - done);
    const bodies = makeBatches(size, BATCH, {
      from: at(done),
      to: at(done + size),
      customers,
      spreadMs: SPREAD_MS,
    });
    const { statuses } = await sendAll(target, bodies, { connections: 8, eventsPerBatch: BATCH });
    if (Object.keys(statuses).some((status) => status !== '202')) {
      throw new Error(`filling the file failed: ${JSON.stringify(statuses)}`);
    }
    ctx.output.info(`${((done + size) * BATCH).toLocaleString('en-US')} events stored`);
  }
};

/** Results of batches sent at a rate: replies by status, latencies in milliseconds. */
export type Fed = { batches: number; statuses: Record<number, number>; p50: number; p99: number };

/** Sends batches at a rate until stopped. */
export const startIngest = (target: Target, rate: number): { stop(): Promise<Fed> } => {
  let over = false;
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const ingesting = (async () => {
    while (!over) {
      const bodies = makeBatches(Math.ceil(rate / 60), BATCH, {
        from: Date.now() - 1_000,
        to: Date.now(),
        spreadMs: SPREAD_MS,
      });
      const sent = await sendAll(target, bodies, { connections: 8, rate: rate / 60, eventsPerBatch: BATCH });
      latencies.push(...sent.latencies);
      for (const [status, replies] of Object.entries(sent.statuses)) {
        statuses[Number(status)] = (statuses[Number(status)] ?? 0) + replies;
      }
    }
  })();
  const stop = async () => {
    over = true;
    await ingesting;
    const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
    return { batches: latencies.length, statuses, p50, p99 };
  };
  return { stop };
};
