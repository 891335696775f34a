/**
 * A price per token as an exact fraction of nano-dollars, parsed from the catalogue's decimal: $0.0375 per million
 * tokens is 37.5 nano-dollars per token, or 375/10.
 */
export type Rate = {
  /** US dollars per million tokens, as listed. */
  readonly usdPerMillion: number;
  /** Numerator, or Infinity if it is not a safe integer (then `exact` is used). */
  readonly numerator: number;
  readonly denominator: number;
  readonly exact: { readonly numerator: bigint; readonly denominator: bigint };
};

const DECIMAL = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/** Dollars per 10^6 tokens are 10^3 nano-dollars (10^-9 dollars) per token. */
const NANO_PER_TOKEN_DIGITS = 3;

/**
 * The rate for a listed price in US dollars per million tokens.
 * @throws RangeError if the price is negative or not finite.
 */
export function toRate(usdPerMillion: number): Rate {
  const match = DECIMAL.exec(String(usdPerMillion));
  if (match === null) throw new RangeError(`Not a price: ${usdPerMillion}`);
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const power = Number(exponent) - fraction.length + NANO_PER_TOKEN_DIGITS;
  let numerator = BigInt(whole + fraction) * 10n ** BigInt(Math.max(power, 0));
  let denominator = 10n ** BigInt(Math.max(-power, 0));
  while (denominator > 1n && numerator % 10n === 0n) {
    numerator /= 10n;
    denominator /= 10n;
  }
  const isSafe = numerator <= BigInt(Number.MAX_SAFE_INTEGER);
  return {
    usdPerMillion,
    numerator: isSafe ? Number(numerator) : Number.POSITIVE_INFINITY,
    denominator: Number(denominator),
    exact: { numerator, denominator },
  };
}

/** A rate for a unit that is `parts` times smaller: a rate per hour becomes one per second. */
export const divided = ({ usdPerMillion, denominator, exact, ...rate }: Rate, parts: number): Rate => ({
  ...rate,
  usdPerMillion: usdPerMillion / parts,
  denominator: denominator * parts,
  exact: { numerator: exact.numerator, denominator: exact.denominator * BigInt(parts) },
});

/** The cost of this many tokens (a positive integer) in nano-dollars, rounded half up. */
export function amountNano(rate: Rate, tokens: number): number {
  const product = tokens * rate.numerator;
  if (product > Number.MAX_SAFE_INTEGER) {
    const { numerator, denominator } = rate.exact;
    return Number((2n * BigInt(tokens) * numerator + denominator) / (2n * denominator));
  }
  const rest = product % rate.denominator;
  return (product - rest) / rate.denominator + (2 * rest >= rate.denominator ? 1 : 0);
}
