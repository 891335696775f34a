import type { Reader } from '../../../../../db/reader.ts';
import { badRequest } from '../../../../../errors.ts';
import { textTest } from '../../../../../lib/filter/values.ts';
import type { Condition, FilterField } from '../../../filter/contract.ts';
import { isOfScores, type Targets } from '../../../filter/targets.ts';
import { type SoughtTargets, soughtTargets } from './score-test.ts';

/**
 * A condition with what was looked up for it: `labels`, the numbers of labels whose key fulfils it; `known`, the
 * values in the roll-ups that match one of its `globs`; `targets`, what a condition on scores holds for, and `sought`, the
 * same by project, ready to be looked for.
 */
export type RowCondition = Condition & {
  readonly labels?: readonly number[];
  readonly known?: readonly string[];
  readonly targets?: readonly Targets[];
  readonly sought?: ReadonlyMap<number, SoughtTargets>;
};

/** The columns of roll-ups that conditions on texts can use. */
export const ROLLED_TEXTS: Partial<Readonly<Record<FilterField, string>>> = {
  model: 'model',
  provider: 'provider',
  environment: 'environment',
  error: 'error_code',
};

/** Looks up what conditions need. */
export const lookUp = (reader: Reader, conditions: readonly RowCondition[]): RowCondition[] =>
  conditions.map((condition) => {
    if (condition.field === 'key' && condition.labels === undefined)
      return { ...condition, labels: labelsOf(reader, condition) };
    if (isOfScores(condition)) return withSought(condition);
    const column = ROLLED_TEXTS[condition.field];
    if (column === undefined || condition.globs === undefined || condition.known !== undefined)
      return condition;
    return { ...condition, known: valuesOf(reader, column).filter(textTest(condition)) };
  });

function withSought(condition: RowCondition): RowCondition {
  const { targets, sought } = condition;
  if (sought !== undefined) return condition;
  if (targets === undefined) throw badRequest(`filter: ${condition.field} cannot be used here`);
  return { ...condition, sought: new Map(targets.map((own) => [own.project, soughtTargets(own)])) };
}

/** A label is the JSON of `[key, tags]`. */
function labelsOf(reader: Reader, condition: Condition): number[] {
  const test = textTest(condition);
  return reader.projects.flatMap((project) =>
    reader
      .rows('SELECT id, json FROM event_labels WHERE project = ?', [project])
      .filter(([, json]) => test((JSON.parse(String(json)) as [string | null])[0]))
      .map(([id]) => Number(id)),
  );
}

const valuesOf = (reader: Reader, column: string): string[] =>
  reader.projects.flatMap((project) =>
    reader
      .rows(`SELECT DISTINCT ${column} FROM rollup_days WHERE project = ?`, [project])
      .map(([value]) => String(value)),
  );
