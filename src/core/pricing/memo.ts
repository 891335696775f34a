export type Memo<T> = {
  readonly get: (key: string) => T | undefined;
  readonly set: (key: string, value: T) => void;
};

/**
 * Caches the values of the most recently used keys, at most `size` of them. Every event is priced through it, so it
 * uses two generations instead of an ordered list: a hit in the younger generation costs one look-up, and keys that
 * are used again move to it.
 */
export function createMemo<T>(size: number): Memo<T> {
  const half = Math.max(1, Math.floor(size / 2));
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  const set = (key: string, value: T): void => {
    if (young.size >= half) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  };
  const get = (key: string): T | undefined => {
    const value = young.get(key);
    if (value !== undefined) return value;
    const older = old.get(key);
    if (older !== undefined) set(key, older);
    return older;
  };
  return { get, set };
}
