import { parseFilter } from '../../../src/core/events/filter/contract.ts';
import {
  type MetricDimension,
  type MetricsDocument,
  metricsDocumentSchema,
} from '../../../src/core/events/query/contract.ts';
import type { Meaning, Name, Reading } from '../../../src/features/ai/ask/question.ts';
import { PRESETS, type Preset } from '../../../src/lib/ranges/presets.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/lib/time.ts';
import fresh from './fresh-questions.json' with { type: 'json' };
import list from './questions.json' with { type: 'json' };
import strangers from './strangers.json' with { type: 'json' };

/** The query that a question means, as the list writes it. */
export type Means = {
  readonly measures: readonly string[];
  readonly by?: readonly string[];
  readonly filter?: string;
  readonly when?: string;
  readonly bucket?: string;
  readonly limit?: number;
  readonly asc?: boolean;
  readonly compare?: string;
};
export type Listed = {
  readonly q: string;
  readonly means: Means | null;
  readonly heldOut?: boolean;
  readonly fresh?: boolean;
};

/** Questions in the words of people who do not know the rules. */
export type Stranger = Listed & { readonly list: string; readonly or?: readonly Means[] };
export const STRANGERS = [...strangers.questions, ...fresh.questions] as readonly Stranger[];

export const QUESTIONS = list.questions as readonly Listed[];
export const NOW = Date.parse(list.now);
export const NAMES: readonly Name[] = Object.entries(list.names).flatMap(([dimension, values]) =>
  values.map((value, place) => ({ dimension: dimension as MetricDimension, value, calls: 100 - place })),
);
export const READING: Reading = {
  names: NAMES,
  scores: list.scores,
  tags: ['team', 'feature'],
  now: NOW,
  timeZone: 'UTC',
};

const dayOf = (text: string): number => Date.parse(`${text}T00:00:00.000Z`);
const today = Math.floor(NOW / DAY_MS) * DAY_MS;

/** A window of the list as epoch milliseconds, inclusive. */
export function windowOf(text: string): readonly [start: number, end: number] {
  if (Object.hasOwn(PRESETS, text)) {
    const preset: { from(now: number, zone: string): number; to?(now: number, zone: string): number } =
      PRESETS[text as Preset];
    return [preset.from(NOW, 'UTC'), preset.to?.(NOW, 'UTC') ?? NOW];
  }
  const rolling = /^-(\d+)([hdm])$/.exec(text);
  if (rolling !== null) {
    const count = Number(rolling[1]);
    if (rolling[2] === 'd') return [today - count * DAY_MS, NOW];
    return [
      Math.floor(NOW / MINUTE_MS) * MINUTE_MS - count * (rolling[2] === 'h' ? HOUR_MS : MINUTE_MS),
      NOW,
    ];
  }
  const [from = '', to = ''] = text.split('/');
  return [dayOf(from), to === '' || dayOf(to) >= today ? NOW : dayOf(to) + DAY_MS - 1];
}

function boundsOf({
  range,
  start,
  end,
}: Pick<MetricsDocument, 'range' | 'start' | 'end'>): readonly [number, number] {
  if (start === undefined && end === undefined) return windowOf(range ?? '30d');
  return [Date.parse(String(start)), end === undefined ? NOW : Date.parse(String(end))];
}

const termsOf = (filter: string): string[] =>
  parseFilter(filter)
    .map((one) => JSON.stringify({ ...one, values: one.values?.toSorted() }))
    .sort();

/** A meaning in a form that two equal ones share. */
export function canonical({ query, baseline }: Meaning): unknown {
  const parsed = metricsDocumentSchema.parse(query);
  return {
    measures: parsed.measures,
    groupBy: parsed.groupBy,
    filter: termsOf(parsed.filter),
    window: boundsOf(query),
    bucket: parsed.bucket ?? null,
    direction: parsed.orderBy?.direction ?? 'desc',
    limit: parsed.limit,
    compare: parsed.compare ?? null,
    baseline: baseline === null ? null : boundsOf(baseline),
  };
}

/** What the list means, in the same form. */
export function canonicalOf({
  measures,
  by = [],
  filter = '',
  when = '30d',
  bucket,
  limit = 20,
  asc,
  compare,
}: Means): unknown {
  return {
    measures,
    groupBy: by,
    filter: termsOf(filter),
    window: windowOf(when),
    bucket: bucket ?? null,
    direction: asc ? 'asc' : 'desc',
    limit,
    compare: compare === 'previous' ? 'previous' : null,
    baseline: compare === undefined || compare === 'previous' ? null : windowOf(compare),
  };
}
