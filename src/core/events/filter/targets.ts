import { type Ctx, defineEvent } from '../../../context.ts';
import { badRequest } from '../../../errors.ts';
import type { Window } from '../selection.ts';
import type { Condition } from './contract.ts';

/** What a condition on scores holds for, in one project: whole traces, single spans, and sessions. */
export type Targets = {
  readonly project: number;
  readonly traces: readonly string[];
  /** Trace and span of each. */
  readonly spans: readonly (readonly [string, string])[];
  readonly sessions: readonly string[];
};

/** Asks which targets a condition on scores holds for. The listener answers at once, with a promise. */
export const targetsAsked = defineEvent<{
  readonly projects: readonly number[];
  readonly condition: Condition;
  /** Of the events that are read; null for all times. */
  readonly window: Window | null;
  readonly answer: (targets: Promise<readonly Targets[]>) => void;
}>('events.targets_asked');

/** Whether a condition is on scores, which the events do not have. */
export const isOfScores = ({ field }: Pick<Condition, 'field'>): boolean => field.startsWith('score.');

/**
 * A query whose conditions on scores name what they hold for. Queries are plain data: the conditions are in a list
 * `where`, the window in a field `window` beside it or above.
 * @throws AppError 400 for conditions that hold for too many targets
 */
export async function withTargets<Q>(ctx: Ctx, projects: readonly number[], query: Q): Promise<Q> {
  return (await filled(ctx, projects, query, null)) as Q;
}

async function filled(
  ctx: Ctx,
  projects: readonly number[],
  node: unknown,
  above: Window | null,
): Promise<unknown> {
  if (typeof node !== 'object' || node === null || !asksScores(node)) return node;
  if (Array.isArray(node)) return Promise.all(node.map((one) => filled(ctx, projects, one, above)));
  const window = 'window' in node ? (node.window as Window) : above;
  const fields = Object.entries(node).map(async ([name, value]) => [
    name,
    name === 'where'
      ? await Promise.all(
          (value as readonly Condition[]).map((one) => filledCondition(ctx, projects, one, window)),
        )
      : await filled(ctx, projects, value, window),
  ]);
  return Object.fromEntries(await Promise.all(fields));
}

/** Whether a condition on scores is anywhere in a query. Most queries have none, and stay what they are. */
function asksScores(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  return Object.entries(node).some(([name, value]) =>
    name === 'where' && Array.isArray(value)
      ? value.some((one: Condition) => isOfScores(one))
      : asksScores(value),
  );
}

async function filledCondition(
  ctx: Ctx,
  projects: readonly number[],
  condition: Condition,
  window: Window | null,
): Promise<Condition & { readonly targets?: readonly Targets[] }> {
  if (!isOfScores(condition)) return condition;
  const asked = Promise.withResolvers<readonly Targets[]>();
  let isAnswered = false;
  ctx.emit(targetsAsked, {
    projects,
    condition,
    window,
    answer: (targets) => {
      isAnswered = true;
      asked.resolve(targets);
    },
  });
  if (!isAnswered) throw badRequest(`filter: ${condition.field} cannot be used here`);
  return { ...condition, targets: await asked.promise };
}
