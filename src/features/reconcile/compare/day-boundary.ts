import type { OutLine } from './lines.ts';

const TEXT = 'the days differ, their sum agrees: the export begins its days at another hour than 00:00 UTC';

/** Counts and amounts that are this near are the same. */
const WITHIN = 0.002;

/**
 * Days that differ while the sum of the model's days agrees are cut at another hour. The counts must show it: calls,
 * or tokens where the export states no calls.
 */
export function explainDayBoundaries(lines: readonly OutLine[]): OutLine[] {
  const byModel = Map.groupBy(lines, ({ provider, model }) => `${provider} ${model}`);
  const shifted = new Set<OutLine>();
  for (const group of byModel.values()) {
    const differing = group.filter((line) => line.differs);
    if (differing.length >= 2 && sumsAgree(group)) for (const line of differing) shifted.add(line);
  }
  return lines.map((line) =>
    shifted.has(line) ? { ...line, reasons: [{ code: 'day_boundary', text: TEXT }] } : line,
  );
}

type Measured = 'calls' | 'inputTokens' | 'outputTokens';

function sumsAgree(group: readonly OutLine[]): boolean {
  const states = (measure: Measured): boolean =>
    group.every(({ invoice }) => invoice === null || invoice[measure] !== null);
  const measures = (['calls', 'inputTokens', 'outputTokens'] as const).filter(states);
  if (measures.length === 0 || group.some(({ books }) => (books?.unpriced ?? 0) > 0)) return false;
  return measures.every((measure) => {
    const billed = group.reduce((sum, { invoice }) => sum + (invoice?.[measure] ?? 0), 0);
    const known = group.reduce((sum, { books }) => sum + (books?.[measure] ?? 0), 0);
    return Math.abs(billed - known) <= WITHIN * Math.max(billed, known);
  });
}
