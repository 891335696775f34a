import { fullGC } from 'bun:jsc';

const CHECK_MS = 200;
/** Growth in bytes, and as a share of what the last collection left. */
const GROWTH = { bytes: 32 * 1024 * 1024, share: 0.5 };

/**
 * Collects garbage whenever the heap of this thread has grown by half, but at least by 32 MB. What is in progress at a
 * small collection stays until a full one. Without this the engine runs one only when the heap has tripled, and three
 * processes and the writer's thread hold more than a hundred megabytes of garbage.
 */
export function collectGarbageOnGrowth(): void {
  let kept = heapUsed();
  setInterval(() => {
    const used = heapUsed();
    if (used - kept > Math.max(GROWTH.bytes, kept * GROWTH.share)) {
      fullGC();
      kept = heapUsed();
    } else {
      kept = Math.min(kept, used);
    }
  }, CHECK_MS).unref();
}

/** `heapSize` of `bun:jsc` waits for a collection in progress, which takes a tenth of the time under load. */
const heapUsed = (): number => process.memoryUsage().heapUsed;
