import { AppError } from '../errors.ts';
import { createFairGate } from '../lib/fair-gate.ts';
import type { BodyLimits } from './body/body-limits.ts';
import { inflateAtOnce, inflateBody } from './body/inflate-body.ts';
import { receiveBody } from './body/receive-body.ts';
import { createPlaces, type Places } from './places.ts';
import { createTurns, type Sender } from './turns.ts';

/** Lets other requests run if the current slice of work took long; call it between small steps. */
export type Pause = () => Promise<void>;

/** Admits request bodies with events, in a fair order of their senders. */
export type Intake = {
  /**
   * Receives a request's body, waits for its turn, decompresses it and passes it to `work`. If the server is
   * overloaded, requests of the owner that has most of them are refused, before their bodies are read if possible.
   * @throws AppError 503 with `Retry-After`, or like `receiveBody` and `inflateBody`
   */
  run<T>(
    request: Request,
    of: { readonly limits: BodyLimits; readonly sender: Sender },
    work: (bytes: Uint8Array, pause: Pause) => Promise<T>,
  ): Promise<T>;
  /** Requests in progress or waiting, and the bytes of their bodies that have arrived. */
  load: Places['load'];
};

/** Requests in progress or waiting: half a second of work in batches of 100 events. */
const MAX_REQUESTS = 128;
/** Total size of their bodies in bytes, as sent and as far as they have arrived. */
const MAX_BYTES = 64 * 1_048_576;
/** How long a received body may wait for its turn while the store cannot write. */
const PATIENCE_MS = 5_000;
/** A slice of work on the serving thread. */
const SLICE_MS = 4;
/** A turn of the queue stands for this many bytes of a body. */
const BYTES_PER_TURN = 65_536;
/** Large bodies that are decompressed and worked on at a time: in total, and of one owner. */
const LARGE = { total: 3, each: 2 };

/** The connection is closed, because the rest of the body may still arrive. */
const overloaded = (seconds: number): AppError =>
  new AppError(503, 'The server is overloaded; try again', {
    headers: { 'Retry-After': String(seconds), Connection: 'close' },
  });

/** @param hasRoom false while too many rows wait for the disk; then no further body is processed */
export function createIntake(hasRoom: () => boolean): Intake {
  const places = createPlaces({ requests: MAX_REQUESTS, bytes: MAX_BYTES, refuse: overloaded });
  const refuse = (): Error => overloaded(places.seconds());
  const turns = createTurns({ hasRoom, patienceMs: PATIENCE_MS, refuse });
  const waiting = { total: MAX_REQUESTS, each: MAX_REQUESTS };
  const large = createFairGate({ running: LARGE, waiting, refuse });

  /** The pauses of one request's work. */
  function createPause(sender: Sender): Pause {
    let since = performance.now();
    return async () => {
      if (performance.now() - since < SLICE_MS) return;
      await turns.next(sender);
      since = performance.now();
    };
  }

  return {
    load: places.load,
    async run(request, { limits, sender }, work) {
      const place = places.enter(sender);
      const { signal } = place;
      const start = (bytes: Uint8Array): ReturnType<typeof work> => {
        place.keep();
        turns.charge(sender, bytes.length / BYTES_PER_TURN);
        return work(bytes, createPause(sender));
      };
      try {
        const sent = await receiveBody(request, limits, { onBytes: place.hold, signal });
        await turns.next(sender, signal);
        const small = inflateAtOnce(sent, limits);
        if (small !== null) return await start(small);
        const done = await large.enter(sender.owner, signal);
        try {
          return await start(await inflateBody(sent, limits));
        } finally {
          done();
        }
      } finally {
        place.leave();
      }
    },
  };
}
