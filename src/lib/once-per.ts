/**
 * Returns a function that is true at most once per key and `windowMs`, such as for recording a last use. `now` is epoch
 * milliseconds; a clock that steps back starts a new window. The newest `maxKeys` keys are remembered.
 */
export const createOncePer = (options: {
  readonly windowMs: number;
  readonly maxKeys: number;
}): ((key: string, now: number) => boolean) => {
  const last = new Map<string, number>();
  return (key, now) => {
    const age = now - (last.get(key) ?? Number.NEGATIVE_INFINITY);
    if (age >= 0 && age < options.windowMs) return false;
    last.delete(key);
    const oldest = last.size >= options.maxKeys ? last.keys().next().value : undefined;
    if (oldest !== undefined) last.delete(oldest);
    last.set(key, now);
    return true;
  };
};
