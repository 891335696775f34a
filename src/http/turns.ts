import { createFairQueue } from '../lib/fair-queue.ts';

/** Whose work it is: an owner, such as an organization, and within it a member, such as a key. */
export type Sender = { readonly owner: string; readonly member: string };

/** Turns on the serving thread, one per turn of its event loop, so that other requests can run in between. */
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

/** @param options.hasRoom false while too much waits for the disk; then nobody gets a turn */
export function createTurns(options: {
  readonly hasRoom: () => boolean;
  readonly patienceMs: number;
  readonly refuse: () => Error;
}): Turns {
  const owners = createFairQueue<string>();
  const members = new Map<string, ReturnType<typeof createFairQueue<Waiting>>>();
  let ticking = false;

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
      let next = take();
      while (next?.isOut) next = take();
      next?.go();
      setImmediate(tick);
    }
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
