import type { AskedScore } from '../../../lib/scores/score-measures.ts';
import type { Unit } from '../../events/query/contract.ts';
import type { ScoreType } from '../values/contract.ts';

/** Sums of the scores of a name: their number, the sum of their values, and the number of each category. */
export type ScoreSums = {
  count: number;
  sum: number;
  readonly categories: Map<string, number>;
};

export const noScores = (): ScoreSums => ({ count: 0, sum: 0, categories: new Map() });

/** The value of a measure; null if there are no scores, except for counts. */
export function scoreOf({ isCount, category }: AskedScore, sums: ScoreSums | undefined): number | null {
  const { count, sum, categories } = sums ?? noScores();
  const part = category === null ? null : (categories.get(category) ?? 0);
  if (isCount) return part ?? count;
  return count === 0 ? null : (part ?? sum) / count;
}

/** The unit of a measure. @param type of the definition; undefined without one */
export function unitOf({ isCount, category }: AskedScore, type: ScoreType | undefined): Unit {
  if (isCount) return 'scores';
  return category !== null || type === 'boolean' ? 'fraction' : 'score';
}
