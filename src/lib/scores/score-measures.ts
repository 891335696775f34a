/**
 * A measure of scores: `score:NAME` is the mean of a number or the share of true, `score:NAME=CATEGORY` the share of a
 * category; `scoreCount:NAME` and `scoreCount:NAME=CATEGORY` count.
 */
export type ScoreMeasure = `score:${string}` | `scoreCount:${string}`;
const SCORE_MEASURE = /^score(Count)?:([^:=]{1,60})(?:=(.{1,100}))?$/su;

/** What a measure of scores asks for. `category`: null for all values. */
export type AskedScore = {
  readonly isCount: boolean;
  readonly name: string;
  readonly category: string | null;
};

export const isScoreMeasure = (name: string): name is ScoreMeasure => SCORE_MEASURE.test(name);

export function parseScoreMeasure(measure: ScoreMeasure): AskedScore {
  const [, count, name = '', category] = SCORE_MEASURE.exec(measure) ?? [];
  return { isCount: count !== undefined, name, category: category ?? null };
}
