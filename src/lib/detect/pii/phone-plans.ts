import metadata from 'libphonenumber-js/min/metadata';

/** What a plan says of a country, by its place in the metadata of libphonenumber. */
type Plan = Readonly<Record<number, unknown>>;
const [IDD_PREFIX, PATTERN, NATIONAL_PREFIX, PARSED_PREFIX, TRANSFORM, TYPES] = [1, 2, 5, 7, 8, 11];

const PLANS = metadata.countries as unknown as Readonly<Record<string, Plan | undefined>>;
const CODES = metadata.country_calling_codes as Readonly<Record<string, readonly string[] | undefined>>;

/** Tells whether digits may be a valid number; `true` where only the library can tell. */
export type Likely = (digits: string) => boolean;

const ALWAYS: Likely = () => true;

/**
 * A test that every valid national number of a country passes: an optional calling code and prefix, and then one of the
 * patterns of the countries that share the code. It takes a hundredth of what reading the number takes.
 * @param country ISO 3166 code
 */
export function likelyNational(country: string): Likely {
  const plan = PLANS[country];
  const code = Object.keys(CODES).find((one) => CODES[one]?.includes(country));
  // Some plans rewrite the number by its prefix.
  if (plan === undefined || code === undefined || plan[TRANSFORM]) return ALWAYS;
  const whole = new RegExp(`^(?:${code})?${prefixOf(plan)}(?:${patternsOf(code)})$`);
  const abroad = new RegExp(`^(?:${String(plan[IDD_PREFIX])})`);
  return (digits) => whole.test(digits) || abroad.test(digits);
}

/** The same for digits after a plus. */
export function likelyInternational(): Likely {
  const byCode = new Map<string, Likely>();
  return (digits) => {
    const code = [1, 2, 3].map((length) => digits.slice(0, length)).find((one) => CODES[one] !== undefined);
    if (code === undefined) return true;
    const known = byCode.get(code) ?? ofCode(code);
    byCode.set(code, known);
    return known(digits);
  };
}

function ofCode(code: string): Likely {
  const plan = PLANS[CODES[code]?.[0] ?? ''];
  if (plan === undefined || plan[TRANSFORM]) return ALWAYS;
  const whole = new RegExp(`^${code}${prefixOf(plan)}(?:${patternsOf(code)})$`);
  return (digits) => whole.test(digits);
}

const prefixOf = (plan: Plan): string => {
  const prefix = plan[PARSED_PREFIX] || plan[NATIONAL_PREFIX];
  return prefix ? `(?:${String(prefix)})?` : '';
};

/** The patterns of all numbers of a calling code: those of the types of numbers where the plan has them. */
const patternsOf = (code: string): string =>
  (CODES[code] ?? [])
    .flatMap((country) => {
      const plan = PLANS[country] ?? {};
      const types = Array.isArray(plan[TYPES]) ? (plan[TYPES] as unknown[]) : [];
      const patterns = types.flatMap((type) => (Array.isArray(type) && type[0] ? [String(type[0])] : []));
      return patterns.length > 0 ? patterns : [String(plan[PATTERN])];
    })
    .join('|');
