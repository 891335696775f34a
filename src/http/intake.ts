import { unavailable } from '../errors.ts';
import { type BodyLimits, inflateBody, receiveBody } from './read-body.ts';

/** The way in for bodies full of events, one at a time. */
export type Intake = {
  /**
   * Receives a request's body, waits for its turn, decompresses it and hands it to `work`. What would
   * wait too long is refused before its body is read: it costs the server next to nothing.
   * @throws AppError 503 with `Retry-After`, or as `receiveBody` and `inflateBody` do
   */
  run<T>(request: Request, limits: BodyLimits, work: (bytes: Uint8Array) => Promise<T>): Promise<T>;
};

/** Most requests that are received, waiting or being stored: half a second of work in batches of 100. */
const MAX_REQUESTS = 128;
/** Most bytes of their bodies, as they were sent. */
const MAX_BYTES = 64 * 1_048_576;
/** How long a received body may wait for its turn while the store can't be written. */
const PATIENCE_MS = 5_000;
const BUSY_RETRY_MS = 2;

const refused = (): Error => unavailable('The server takes no more just now; try again', 1);

/** @param hasRoom whether the next body may be read: what is read already is not too far ahead of the disk */
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
 * Turns in the order of asking, one for each round of the event loop: reading a body takes milliseconds,
 * and between two of them others are answered.
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
