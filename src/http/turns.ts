import { createFairQueue } from '../lib/fair-queue.ts';

/** Whose work it is: an owner, such as an organization, and within it a member, such as a key. */
export type Sender = { readonly owner: string; readonly member: string };

/**
 * Turns on the serving thread, so that other requests can run in between. Each round of its event loop has one; after a
 * long round, which went to other things such as bodies of refused requests, there are more, as many as fit in that time.
 */
export type Turns = {
  /**
   * Waits for a turn. Turns go to the owner that was served least, and within it to the member that was.
   * @throws what `refuse` makes, after waiting `patienceMs`; the reason of `signal`
   */
  next(sender: Sender, signal?: AbortSignal): Promise<void>;
  /** Counts work of a sender; 1 is a turn. */
  charge(sender: Sender, cost: number): void;
};

type Waiting = { isOut: boolean; go(): void };

const BUSY_RETRY_MS = 2;
/** How long a turn may take, about; a longer round of the event loop was spent on something else. */
const TURN_MS = 4;
const MOST_PER_ROUND = 16;

/** @param options.hasRoom false while too much waits for the disk; then nobody gets a turn */
export function createTurns(options: {
  readonly hasRoom: () => boolean;
  readonly patienceMs: number;
  readonly refuse: () => Error;
}): Turns {
  const owners = createFairQueue<string>();
  const members = new Map<string, ReturnType<typeof createFairQueue<Waiting>>>();
  let ticking = false;
  let lastRound = 0;
  let given = 0;

  function add({ owner, member }: Sender, waiting: Waiting): void {
    const own = members.get(owner) ?? createFairQueue<Waiting>();
    members.set(owner, own);
    own.add(member, waiting);
    owners.add(owner, owner);
  }

  function take(): Waiting | undefined {
    const owner = owners.take();
    if (owner === undefined) return undefined;
    const own = members.get(owner);
    const waiting = own?.take();
    if (own?.size === 0) members.delete(owner);
    return waiting;
  }

  function tick(): void {
    if (owners.size === 0) ticking = false;
    else if (!options.hasRoom()) setTimeout(tick, BUSY_RETRY_MS);
    else {
      const now = performance.now();
      const others = now - lastRound - given * TURN_MS;
      lastRound = now;
      const turns = Math.min(MOST_PER_ROUND, Math.max(1, Math.floor(others / TURN_MS)));
      for (given = 0; given < turns && give(); given++);
      setImmediate(tick);
    }
  }

  /** False if nobody waits. */
  function give(): boolean {
    let next = take();
    while (next?.isOut) next = take();
    next?.go();
    return next !== undefined;
  }

  return {
    async next(sender, signal) {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiting: Waiting = { isOut: false, go: resolve };
      const giveUp = (error: unknown): void => {
        waiting.isOut = true;
        reject(error);
      };
      const onAbort = (): void => giveUp(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      const patience = setTimeout(() => giveUp(options.refuse()), options.patienceMs);
      add(sender, waiting);
      if (!ticking) {
        ticking = true;
        lastRound = performance.now();
        given = 0;
        tick();
      }
      try {
        await promise;
      } finally {
        clearTimeout(patience);
        signal?.removeEventListener('abort', onAbort);
      }
    },
    charge({ owner, member }, cost) {
      owners.charge(owner, cost);
      members.get(owner)?.charge(member, cost);
    },
  };
}
