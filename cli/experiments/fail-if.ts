import { usageError } from '../user-error.ts';

/** A threshold of `--fail-if`. */
export type Threshold = {
  readonly text: string;
  readonly metric: string;
  readonly rule:
    | { readonly kind: 'value' | 'relative'; readonly operator: Operator; readonly bound: number }
    | { readonly kind: 'worse' };
};
type Operator = '<' | '<=' | '>' | '>=';

/** What became of a threshold. `error`: it cannot be judged, which counts as a failure. */
export type Judged = {
  readonly text: string;
  readonly hasFailed: boolean;
  /** The figures, for people. */
  readonly found: string;
};

/** What has figures and a comparison with earlier ones: an experiment, or a run of a simulation. */
export type Measured = {
  readonly metrics: readonly {
    readonly name: string;
    readonly mean: number;
    readonly low: number;
    readonly high: number;
  }[];
  readonly comparison: {
    readonly metrics: readonly {
      readonly name: string;
      readonly baseline: number | null;
      readonly difference: { readonly mean: number } | null;
      readonly p: number;
      readonly verdict: string;
    }[];
  } | null;
};

const EXAMPLES = 'Write such as "accuracy < 0.9", "cost > +10%" or "accuracy is worse"';

/**
 * Reads a threshold: a metric and a bound, a bound relative to the baseline's mean, or `is worse`.
 * @throws UserError usage (2)
 */
export function parseThreshold(text: string): Threshold {
  const worse = /^\s*(.+?)\s+is\s+worse\s*$/.exec(text)?.[1];
  if (worse !== undefined) return { text, metric: worse, rule: { kind: 'worse' } };
  const [, metric = '', operator = '', sign = '', number = '', percent] =
    /^\s*(.+?)\s*(<=|>=|<|>)\s*([+-]?)(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(text) ?? [];
  const bound = Number(sign + number);
  if (metric === '' || (percent === '%' && sign === ''))
    throw usageError(`--fail-if ${JSON.stringify(text)} is no threshold`, EXAMPLES);
  const kind = percent === '%' ? 'relative' : 'value';
  return { text, metric, rule: { kind, operator: operator as Operator, bound } };
}

const HOLDS: Readonly<Record<Operator, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

const figure = (value: number): string => String(Number(value.toPrecision(4)));

/** Whether figures cross a threshold. A metric that is not there counts as crossed. */
export function judgeThreshold({ text, metric, rule }: Threshold, measured: Measured): Judged {
  const own = measured.metrics.find(({ name }) => name === metric);
  if (own === undefined) {
    const known = measured.metrics.map(({ name }) => name).join(', ');
    return { text, hasFailed: true, found: `there is no ${metric}; there is ${known}` };
  }
  const shown = `${metric} is ${figure(own.mean)} (${figure(own.low)} to ${figure(own.high)})`;
  if (rule.kind === 'value')
    return { text, hasFailed: HOLDS[rule.operator](own.mean, rule.bound), found: shown };
  const compared = measured.comparison?.metrics.find(({ name }) => name === metric);
  if (compared === undefined || compared.baseline === null)
    return { text, hasFailed: true, found: `${shown}; there is no baseline to compare with` };
  const baseline = `baseline ${figure(compared.baseline)}`;
  if (rule.kind === 'worse')
    return {
      text,
      hasFailed: compared.verdict === 'worse',
      found: `${shown}, ${baseline}, p ${figure(compared.p)}: ${compared.verdict}`,
    };
  const difference = compared.difference?.mean ?? 0;
  const percent =
    compared.baseline === 0
      ? Math.sign(difference) * Number.POSITIVE_INFINITY
      : (difference / Math.abs(compared.baseline)) * 100;
  const change = difference === 0 ? 0 : percent;
  return {
    text,
    hasFailed: HOLDS[rule.operator](change, rule.bound),
    found: `${shown}, ${baseline}: ${change > 0 ? '+' : ''}${figure(change)} %`,
  };
}
