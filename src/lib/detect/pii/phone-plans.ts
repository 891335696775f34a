import metadata from 'libphonenumber-js/min/metadata';

/** What a plan says of a country, by its place in the metadata of libphonenumber. */
type Plan = Readonly<Record<number, unknown>>;
const [IDD_PREFIX, PATTERN, NATIONAL_PREFIX, PARSED_PREFIX, TRANSFORM, LEADING, TYPES] = [
  1, 2, 5, 7, 8, 10, 11,
];

const PLANS = metadata.countries as unknown as Readonly<Record<string, Plan | undefined>>;
const CODES = metadata.country_calling_codes as Readonly<Record<string, readonly string[] | undefined>>;

/** Whether digits are a valid number, as far as patterns tell; null where only reading the number can tell. */
export type PhonePlan = (digits: string) => boolean | null;

const UNTOLD: PhonePlan = () => null;

/**
 * What the patterns of a country tell of national numbers. Every valid one is an optional calling code and prefix, and then
 * one of the patterns of the countries that share the code; and one that has a pattern of the first of these countries is
 * valid. That takes a hundredth of what reading the number takes.
 * @param country ISO 3166 code
 */
export function nationalPlan(country: string): PhonePlan {
  const plan = PLANS[country];
  const code = Object.keys(CODES).find((one) => CODES[one]?.includes(country));
  // Some plans rewrite the number by its prefix.
  if (plan === undefined || code === undefined || plan[TRANSFORM]) return UNTOLD;
  const possible = new RegExp(`^(?:${code})?${prefixOf(plan)}(?:${patternsOf(code)})$`);
  const sure = isFirst(country, code) ? new RegExp(`^${plainPrefixOf(plan)}(?:${ownPatterns(plan)})$`) : null;
  const abroad = new RegExp(`^(?:${String(plan[IDD_PREFIX])})`);
  return (digits) => {
    if (abroad.test(digits)) return null;
    return possible.test(digits) ? (sure?.test(digits) ?? false) || null : false;
  };
}

/** The same for the digits of numbers after a plus. */
export function internationalPlan(): PhonePlan {
  const byCode = new Map<string, PhonePlan>();
  return (digits) => {
    const code = [1, 2, 3].map((length) => digits.slice(0, length)).find((one) => CODES[one] !== undefined);
    if (code === undefined) return null;
    const known = byCode.get(code) ?? planOf(code);
    byCode.set(code, known);
    return known(digits);
  };
}

function planOf(code: string): PhonePlan {
  const country = CODES[code]?.[0] ?? '';
  const plan = PLANS[country];
  if (plan === undefined || plan[TRANSFORM]) return UNTOLD;
  const possible = new RegExp(`^${code}${prefixOf(plan)}(?:${patternsOf(code)})$`);
  const sure = isFirst(country, code) ? new RegExp(`^${code}(?:${ownPatterns(plan)})$`) : null;
  return (digits) => (possible.test(digits) ? (sure?.test(digits) ?? false) || null : false);
}

/** Whether a number is looked for in a country before all others of its calling code, and by its patterns alone. */
const isFirst = (country: string, code: string): boolean =>
  CODES[code]?.[0] === country && !PLANS[country]?.[LEADING];

const prefixOf = (plan: Plan): string => {
  const prefix = plan[PARSED_PREFIX] || plan[NATIONAL_PREFIX];
  return prefix ? `(?:${String(prefix)})?` : '';
};

/** A prefix that is read in one way only. */
const plainPrefixOf = (plan: Plan): string => (plan[PARSED_PREFIX] ? '' : prefixOf(plan));

/** The patterns of all numbers of a calling code. */
const patternsOf = (code: string): string =>
  (CODES[code] ?? []).map((country) => ownPatterns(PLANS[country] ?? {})).join('|');

/** The patterns of the types of numbers where the plan has them. */
function ownPatterns(plan: Plan): string {
  const types = Array.isArray(plan[TYPES]) ? (plan[TYPES] as unknown[]) : [];
  const patterns = types.flatMap((type) => (Array.isArray(type) && type[0] ? [String(type[0])] : []));
  return patterns.length > 0 ? patterns.join('|') : String(plan[PATTERN]);
}
