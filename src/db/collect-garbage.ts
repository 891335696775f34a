import { edenGC, fullGC } from 'bun:jsc';

const CHECK_MS = 200;
/** Growth in bytes, and as a share of what the last collection left. */
const GROWTH = { bytes: 32 * 1024 * 1024, share: 0.5 };

/**
 * Collects garbage whenever the heap of this thread has grown by half, but at least by 32 MB. What is in progress at a
 * small collection stays until a full one. Without this the engine runs one only when the heap has tripled, and three
 * processes and the writer's thread hold more than a hundred megabytes of garbage.
 * @returns to be called when the work that makes garbage ends before the process does
 */
export function collectGarbageOnGrowth(): () => void {
  let kept = heapUsed();
  const timer = setInterval(() => {
    const used = heapUsed();
    if (used - kept > Math.max(GROWTH.bytes, kept * GROWTH.share)) {
      fullGC();
      kept = heapUsed();
    } else {
      kept = Math.min(kept, used);
    }
  }, CHECK_MS).unref();
  return () => clearInterval(timer);
}

/**
 * For work in pieces that leave megabytes of garbage each: collects what was made lately before the heap has doubled.
 * It takes some milliseconds however little that is.
 */
export function collectYoungGarbage(): void {
  edenGC();
}

/**
 * Collects what was made lately each time that `limit` things were made, so that small work does without.
 * @returns to be told after each piece of work how many things it made
 */
export function collectAfter(limit: number): (made: number) => void {
  let since = 0;
  return (made) => {
    since += made;
    if (since < limit) return;
    since = 0;
    collectYoungGarbage();
  };
}

/** At the end of large work: other work of the process waits for some tens of milliseconds. */
export function collectAllGarbage(): void {
  Bun.gc(true);
}

/** Growth in bytes after which an idle process collects its garbage. */
const IDLE_GROWTH = 8 * 1024 * 1024;
const IDLE_AFTER_MS = 300;

/**
 * For a process that waits after some work: collects the garbage of the work and gives the memory back. Work that begins
 * soon puts it off.
 * @returns to be called after each piece of work
 */
export function collectGarbageWhenIdle(): () => void {
  let kept = heapUsed();
  const timer = setTimeout(() => {
    if (heapUsed() - kept < IDLE_GROWTH) return;
    Bun.gc(true);
    kept = heapUsed();
  }, IDLE_AFTER_MS);
  return () => void timer.refresh();
}

/** `heapSize` of `bun:jsc` waits for a collection in progress, which takes a tenth of the time under load. */
const heapUsed = (): number => process.memoryUsage().heapUsed;
