/** A seeded source of randomness: the same seed gives the same sequence on every machine. */
export type Random = {
  /** Uniform in [0, 1). */
  readonly next: () => number;
  /** Uniform integer from `min` to `max`, both included. */
  readonly int: (min: number, max: number) => number;
  /** True with probability `p`. */
  readonly chance: (p: number) => boolean;
  /** One item, with probability proportional to its weight. Throws a RangeError on an empty list. */
  readonly weighted: <T>(choices: readonly (readonly [item: T, weight: number])[]) => T;
  /** Log-normal with the given median; `sigma` is the standard deviation of its logarithm. */
  readonly logNormal: (median: number, sigma: number) => number;
  /** Poisson-distributed count with the given mean. */
  readonly poisson: (mean: number) => number;
  /** `digits` lower-case hex digits. */
  readonly hex: (digits: number) => string;
  /** A UUID in the layout of version 4. */
  readonly uuid: () => string;
};

/** Above this mean the normal distribution approximates Poisson, because the product of uniforms gets too long. */
const POISSON_EXACT_UP_TO = 50;

/**
 * Creates a seeded random source.
 *
 * @param seed any number; only its lower 32 bits count
 * @example
 * const random = createRandom(1);
 * random.uuid(); // always the same first UUID
 */
export function createRandom(seed: number): Random {
  const word = sfc32(seed);
  const next = (): number => word() / 2 ** 32;
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const hex = (digits: number): string => {
    let out = '';
    while (out.length < digits) out += word().toString(16).padStart(8, '0');
    return out.slice(0, digits);
  };
  return {
    next,
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (p) => next() < p,
    weighted: (choices) => weighted(choices, next()),
    logNormal: (median, sigma) => median * Math.exp(sigma * normal()),
    poisson: (mean) => {
      if (mean > POISSON_EXACT_UP_TO) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
      const limit = Math.exp(-mean);
      let count = 0;
      for (let product = next(); product > limit; product *= next()) count++;
      return count;
    },
    hex,
    uuid: () => {
      const h = hex(32);
      const variant = '89ab'.charAt(Number.parseInt(h.charAt(16), 16) & 3);
      return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-${variant}${h.slice(17, 20)}-${h.slice(20)}`;
    },
  };
}

function weighted<T>(choices: readonly (readonly [item: T, weight: number])[], at: number): T {
  let left = at * choices.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [item, weight] of choices) {
    left -= weight;
    if (left < 0) return item;
  }
  const last = choices.at(-1);
  if (last === undefined) throw new RangeError('weighted() needs at least one choice');
  return last[0];
}

/** Chris Doty-Humphrey's sfc32 (PractRand), 32 random bits per call; the first rounds mix in the seed. */
function sfc32(seed: number): () => number {
  let a = 0;
  let b = seed | 0;
  let c = 0x9e3779b9 | 0;
  let counter = 1;
  const step = (): number => {
    const out = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + out;
    return out >>> 0;
  };
  for (let round = 0; round < 15; round++) step();
  return step;
}
