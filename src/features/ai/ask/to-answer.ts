import { METRIC_DIMENSIONS, type Unit } from '../../../core/events/query/contract.ts';
import { markOf } from '../../../lib/billing/cost-mark.ts';
import { durationText, moneyText, numberText, percentText } from '../../../lib/figures.ts';
import { measureWords } from '../../../lib/scores/measure-words.ts';
import { quoted } from '../../../lib/text/quoted.ts';
import type { AskReply, AskRow } from './contract.ts';

type Measure = AskReply['measures'][number];

/** A value with its unit. The answer writes numbers only like this. */
export function valueText(unit: Unit, value: number): string {
  if (unit === 'usd') return moneyText(value);
  if (unit === 'fraction') return percentText(value);
  if (unit === 'ms') return durationText(value);
  return numberText(value);
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The measure in words, for a table. */
export const labelOf = (name: string): string => capital(measureWords(name));

/** The answer of rows in a sentence. Each number in it is a value or a change of a row. */
export function toAnswer(
  rows: readonly AskRow[],
  { measures, isLowest }: { readonly measures: readonly Measure[]; readonly isLowest: boolean },
): string {
  const total = rows.find(({ kind }) => kind === 'total');
  const [main] = measures;
  if (total === undefined || main === undefined) return 'There are no figures.';
  const isEmpty = rows.every(({ values }) =>
    Object.values(values).every((value) => value === null || value === 0),
  );
  const isUnpriced = markOf(main.name, total.values[main.name] ?? null, total.unpriced) === 'unpriced';
  if (isUnpriced && measures.length === 1) return noPriceText(total);
  if (isEmpty && (total.values[main.name] ?? null) === null)
    return `No calls of this window have this measure: ${measureWords(main.name)}.`;
  const groups = rows.filter(({ kind }) => kind === 'group');
  const steps = rows.filter(({ kind }) => kind === 'step');
  const whole = measures.map((measure) => wholeOf(measure, total)).join('; ');
  const left = leftOutText(total);
  if (groups.length > 0) return `${groupsText(groups, main, isLowest)} ${capital(whole)}.${left}`;
  const top = steps.length > 1 ? topStep(steps, main, isLowest) : null;
  return `${capital(whole)}.${top === null ? '' : ` ${top}`}${left}`;
}

/** The calls that the costs of an answer leave out. */
const leftOutText = ({ unpriced, calls }: AskRow): string =>
  unpriced === null || unpriced === 0
    ? ''
    : ` ${numberText(unpriced)} of ${numberText(calls ?? unpriced)} calls have no known price and are in no cost.`;

const noPriceText = ({ calls }: AskRow): string =>
  calls === 1
    ? 'The call of this window has no known price, so its cost is unknown.'
    : `None of the ${numberText(calls ?? 0)} calls of this window has a known price, so their cost is unknown.`;

/** A value with its unit, `at least` it where some of its calls have no price. */
const knownText = ({ name, unit }: Measure, value: number, unpriced: number | null): string =>
  `${markOf(name, value, unpriced) === 'minimum' ? 'at least ' : ''}${valueText(unit, value)}`;

function wholeOf(measure: Measure, { values, before, change, unpriced, unpricedBefore }: AskRow): string {
  const { name } = measure;
  const value = values[name] ?? null;
  const words = measureWords(name);
  if (value === null)
    return `${words}: ${markOf(name, value, unpriced) === 'unpriced' ? 'no known price' : 'no value'}`;
  const text = `${words} in all: ${knownText(measure, value, unpriced)}`;
  const earlier = before?.[name] ?? null;
  if (before === null) return text;
  if (earlier === null) return `${text}, with nothing to compare it with`;
  const changed = change?.[name] ?? null;
  return `${text}, before: ${knownText(measure, earlier, unpricedBefore)}${changed === null ? '' : ` (${changed})`}`;
}

function groupsText(groups: readonly AskRow[], measure: Measure, isLowest: boolean): string {
  const { name } = measure;
  const [first, second] = groups.filter(({ values }) => (values[name] ?? null) !== null);
  if (first === undefined) return `No group has a value of this measure: ${measureWords(name)}.`;
  const one = (row: AskRow): string =>
    `${nameOf(row)} (${knownText(measure, row.values[name] ?? 0, row.unpriced)})`;
  const most = isLowest ? 'Lowest' : 'Highest';
  return `${most} ${measureWords(name)}: ${one(first)}${second === undefined ? '' : `, then ${one(second)}`}.`;
}

/** A dimension in words; the name of a tag is a name of the project. */
export const wordOf = (dimension: string): string =>
  dimension.startsWith('tag:')
    ? `tag ${quoted(dimension.slice('tag:'.length))}`
    : ((METRIC_DIMENSIONS as Readonly<Record<string, string>>)[dimension]?.replace(
        /^[A-Z](?=[a-z])/,
        (letter) => letter.toLowerCase(),
      ) ?? dimension);

const nameOf = ({ key }: AskRow): string =>
  Object.entries(key)
    .map(([dimension, value]) => (value === null ? `calls without ${wordOf(dimension)}` : quoted(value)))
    .join(' with ');

function topStep(steps: readonly AskRow[], { name, unit }: Measure, isLowest: boolean): string | null {
  const known = steps.flatMap(({ values }) => values[name] ?? []);
  if (known.length === 0) return null;
  const end = isLowest ? Math.min(...known) : Math.max(...known);
  return `The ${isLowest ? 'lowest' : 'highest'} step has ${valueText(unit, end)}.`;
}
