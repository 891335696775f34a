const BUSY_MS = 5_000;
const LOOK_MS = 2;

/** Whose turn it is to write; others wait, as on the server. */
export type WriteTurn = { take(stream: object): Promise<void>; release(stream: object): void };

export function createWriteTurn(): WriteTurn {
  let writer: object | null = null;
  return {
    async take(stream) {
      const since = performance.now();
      while (writer !== null && writer !== stream) {
        if (performance.now() - since > BUSY_MS)
          throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
        await Bun.sleep(LOOK_MS);
      }
      writer = stream;
    },
    release(stream) {
      if (writer === stream) writer = null;
    },
  };
}
