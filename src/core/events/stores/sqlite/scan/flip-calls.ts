import { FLAG } from '../columns.ts';

/** The flags with `FLAG.call` changed at some places; the given flags stay as they are. */
export function flipCalls(flags: Uint8Array, places: readonly number[]): Uint8Array {
  if (places.length === 0) return flags;
  const changed = new Uint8Array(flags);
  for (const place of places) changed[place] = (changed[place] ?? 0) ^ FLAG.call;
  return changed;
}
