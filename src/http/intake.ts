import { unavailable } from '../errors.ts';
import type { BodyLimits } from './body/body-limits.ts';
import { inflateBody } from './body/inflate-body.ts';
import { receiveBody } from './body/receive-body.ts';

/** Admits request bodies with events, one at a time. */
export type Intake = {
  /**
   * Receives a request's body, waits for its turn, decompresses it and passes it to `work`. If the server is
   * overloaded, the request is refused before its body is read, which costs almost nothing.
   * @throws AppError 503 with `Retry-After`, or like `receiveBody` and `inflateBody`
   */
  run<T>(request: Request, limits: BodyLimits, work: (bytes: Uint8Array) => Promise<T>): Promise<T>;
};

/** Maximum number of requests in progress or waiting: half a second of work in batches of 100 events. */
const MAX_REQUESTS = 128;
/** Maximum total size of their bodies in bytes, as sent. */
const MAX_BYTES = 64 * 1_048_576;
/** How long a received body may wait for its turn while the store cannot write. */
const PATIENCE_MS = 5_000;
const BUSY_RETRY_MS = 2;

const refused = (): Error => unavailable('The server is overloaded; try again', 1);

/** @param hasRoom false while too many rows wait for the disk; then no further body is processed */
export function createIntake(hasRoom: () => boolean): Intake {
  const nextTurn = createTurns(hasRoom);
  let requests = 0;
  let bytes = 0;

  return {
    async run(request, limits, work) {
      if (requests >= MAX_REQUESTS || bytes >= MAX_BYTES) throw refused();
      requests++;
      let held = Number(request.headers.get('content-length') ?? 0);
      bytes += held;
      try {
        const sent = await receiveBody(request, limits);
        bytes += sent.bytes.length - held;
        held = sent.bytes.length;
        await nextTurn();
        return await work(await inflateBody(sent, limits));
      } finally {
        requests--;
        bytes -= held;
      }
    },
  };
}

/**
 * First-in, first-out turns, one per turn of the event loop: processing a body takes milliseconds, and other requests
 * can run in between.
 */
function createTurns(hasRoom: () => boolean): () => Promise<void> {
  const waiting: { since: number; go: () => void; refuse: (error: Error) => void }[] = [];
  let ticking = false;

  function tick(): void {
    while (waiting[0] !== undefined && performance.now() - waiting[0].since > PATIENCE_MS) {
      waiting.shift()?.refuse(refused());
    }
    if (waiting.length === 0) ticking = false;
    else if (!hasRoom()) setTimeout(tick, BUSY_RETRY_MS);
    else {
      waiting.shift()?.go();
      setImmediate(tick);
    }
  }

  return () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.push({ since: performance.now(), go: resolve, refuse: reject });
    if (!ticking) {
      ticking = true;
      tick();
    }
    return promise;
  };
}
