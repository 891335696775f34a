import type { Ctx } from '../../../context.ts';
import { findEvaluatorRules } from '../../evaluators/index.ts';
import type { EventSubject } from '../../events/index.ts';
import { findProject } from '../../projects/index.ts';
import { operatorScope, type ProjectScope } from '../../tenancy/index.ts';
import type { RuleRow } from '../queries.ts';
import { subjectFilter } from './match-subject.ts';

/** A rule that is ready to judge, with its evaluator in the newest version. */
export type LoadedRule = {
  readonly id: string;
  readonly name: string;
  readonly scope: ProjectScope;
  readonly capNano: number | null;
  readonly judgesUnstored: boolean;
  readonly evaluatorId: string;
  readonly evaluator: string;
  readonly version: number;
  readonly scoreName: string;
  readonly rules: Awaited<ReturnType<typeof findEvaluatorRules>>['rules'];
  readonly matches: (subject: EventSubject) => boolean;
};

/** Events of the product's own calls are never judged. */
const OWN_ENVIRONMENT = 'spanledger';

/** Throws AppError 404 if the evaluator or the project was deleted. */
export async function loadRule(ctx: Ctx, row: RuleRow): Promise<LoadedRule> {
  const scope = operatorScope(await findProject(ctx, row.projectId));
  const { evaluator, rules } = await findEvaluatorRules(ctx, row.projectId, row.evaluatorId);
  const test = subjectFilter(row.filter);
  return {
    id: row.id,
    name: row.name,
    scope,
    capNano: row.capNano,
    judgesUnstored: row.judgesUnstored,
    evaluatorId: evaluator.id,
    evaluator: evaluator.name,
    version: evaluator.version,
    scoreName: evaluator.scoreName,
    rules,
    matches: (subject) => subject.root.environment !== OWN_ENVIRONMENT && test(subject),
  };
}
