import type { ReadOp } from '../../../db/reader.ts';
import { OUTCOMES, type Outcome } from '../../../lib/guardrails/definition.ts';
import { isOutcome } from '../../../lib/guardrails/outcome-code.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../../lib/time.ts';
import type { CountGroup, GuardrailFigures, OutcomeCounts } from './contract.ts';

/** Which outcomes: times in epoch milliseconds, the end exclusive. */
export type CountsQuery = {
  readonly from: number;
  readonly to: number;
  readonly groupBy: CountGroup;
  readonly guardrail?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly environment?: string | undefined;
};

const COLUMNS: Readonly<Record<CountGroup, string>> = {
  guardrail: 'guardrail',
  check: 'check_kind',
  user: 'user_id',
  model: 'model',
  environment: 'environment',
};

/** Windows up to this have steps of an hour. */
const HOURLY_MS = 3 * DAY_MS;
const MAX_GROUPS = 100;

type Row = { readonly value: string | number; readonly outcome: string; readonly n: number };
type Counts = { -readonly [K in keyof OutcomeCounts]: number };
const none = (): Counts => ({ allow: 0, flag: 0, redact: 0, block: 0 });

function summed(rows: readonly Row[]): Map<string | number, Counts> {
  const byValue = new Map<string | number, Counts>();
  for (const { value, outcome, n } of rows) {
    const counts = byValue.get(value) ?? none();
    byValue.set(value, counts);
    if (isOutcome(outcome)) counts[outcome] += n;
  }
  return byValue;
}

const byStrength = (a: Counts, b: Counts): number =>
  b.block - a.block || b.redact - a.redact || b.flag - a.flag || b.allow - a.allow;

/** Sums the hours of a window of the reader's project. */
export const countsRead: ReadOp<CountsQuery, GuardrailFigures> = {
  name: 'guardrails.counts',
  run(reader, { from, to, groupBy, guardrail, outcome, environment }) {
    const bucket = to - from <= HOURLY_MS ? 'hour' : 'day';
    const length = bucket === 'hour' ? HOUR_MS : DAY_MS;
    const [first, end] = [Math.floor(from / length) * length, Math.ceil(to / length) * length];
    const select = (value: string, isCheck: boolean): Row[] =>
      reader.all(
        `SELECT ${value} AS value, outcome, sum(count) AS n FROM guardrail_counts
         WHERE hour >= ?1 AND hour < ?2 AND check_kind ${isCheck ? '<>' : '='} ''
           AND (?3 IS NULL OR guardrail = ?3) AND (?4 IS NULL OR outcome = ?4)
           AND (?5 IS NULL OR environment = ?5)
         GROUP BY 1, 2`,
        [first, end, guardrail ?? null, outcome ?? null, environment ?? null],
      );
    const times = summed(select(`hour / ${length} * ${length}`, false));
    const total = none();
    const steps = [];
    for (let time = first; time < end; time += length) {
      const counts = times.get(time) ?? none();
      for (const one of OUTCOMES) total[one] += counts[one];
      steps.push({ time: formatInstant(time), ...counts });
    }
    const groups = [...summed(select(COLUMNS[groupBy], groupBy === 'check'))]
      .sort(([, a], [, b]) => byStrength(a, b))
      .slice(0, MAX_GROUPS)
      .map(([value, counts]) => ({ key: value === '' ? null : String(value), ...counts }));
    return { start: formatInstant(first), end: formatInstant(end), bucket, total, steps, groups };
  },
};
