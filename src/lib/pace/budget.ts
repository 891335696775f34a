/** How long work may take. */
export type Budget = {
  readonly ms: number;
  isSpent(): boolean;
};

/**
 * A budget of `ms` from now on. On a busy machine a thread waits for the processor, and such waiting does not count where
 * the runtime tells the time on the processor (Node, Bun): a guardrail must not fail because others are busy.
 */
export function budgetOf(ms: number): Budget {
  const before = cpuMs();
  let until = performance.now() + ms;
  return {
    ms,
    isSpent() {
      const now = performance.now();
      if (now <= until) return false;
      // Asking for it takes a microsecond, so the clock comes first.
      const used = (cpuMs() ?? Number.POSITIVE_INFINITY) - (before ?? 0);
      if (used >= ms) return true;
      until = now + (ms - used);
      return false;
    },
  };
}

type Usage = { readonly user: number; readonly system: number };
type Runtime = { readonly process?: { readonly threadCpuUsage?: () => Usage } };

/** Milliseconds for which this thread has been on a processor; null where that is not known. */
function cpuMs(): number | null {
  const usage = (globalThis as Runtime).process?.threadCpuUsage?.();
  return usage === undefined ? null : (usage.user + usage.system) / 1_000;
}
