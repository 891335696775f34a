import { createRandom } from '../stats/random.ts';

/** A seed for something that has a name (FNV-1a). */
export function seedOf(seed: number, name: string): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193) >>> 0;
  return hash & 0x7fffffff;
}

/** The list in an order that the seed decides (Fisher–Yates). */
export function shuffled<T>(list: readonly T[], seed: number): T[] {
  const random = createRandom(seed);
  const mixed = [...list];
  for (let i = mixed.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [mixed[i], mixed[other]] = [mixed[other] as T, mixed[i] as T];
  }
  return mixed;
}
