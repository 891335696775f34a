/** A version of a label, and its weight among those of the label; weights need not sum up to anything. */
export type WeightedVersion = { readonly version: number; readonly weight: number };

/**
 * The version of a split that a key gets, by weighted rendezvous hashing: each version draws a number from the key and
 * itself, and the best one wins. So a key always gets the same version, and a version that is added or removed moves only
 * the keys that it wins or had (Schindelhauer and Schomaker, "Weighted distributed hash tables", 2005).
 * @param key a user, a session or any other text; the same key may get different versions of different prompts
 * @param name name of the prompt
 * @throws Error for an empty split
 */
export const chooseVersion = <V extends WeightedVersion>(
  split: readonly V[],
  name: string,
  key: string,
): V => {
  const seed = `${name}\n${key}\n`;
  let best: V | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of split) {
    const draw = -Math.log(fractionOf(`${seed}${candidate.version}`)) / candidate.weight;
    // Of equal draws the older version wins, in whatever order they are listed.
    if (draw < least || (draw === least && candidate.version < (best?.version ?? 0))) {
      best = candidate;
      least = draw;
    }
  }
  if (best === undefined) throw new Error('a split has at least one version');
  return best;
};

/** Maps a text to a number between 0 and 1, both excluded: FNV-1a, then the finaliser of MurmurHash3. */
const fractionOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (((hash ^ (hash >>> 16)) >>> 0) + 0.5) / 2 ** 32;
};
