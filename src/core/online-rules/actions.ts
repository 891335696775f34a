import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { defineAction } from '../../module.ts';
import { idOrName } from '../orgs/contract.ts';
import { findProject } from '../projects/index.ts';
import { operatorScope, type ProjectScope } from '../tenancy/index.ts';
import { startBackfill } from './backfill/start-backfill.ts';
import { changeRule, createRule, deleteRule } from './change-rule.ts';
import { backfillInput, type OnlineRule, ruleInput } from './contract.ts';
import { findRule, listRules } from './queries.ts';

const project = idOrName;
const rule = z.string().min(1).max(100);

/** A rule by its name or id. Throws AppError 404. */
async function findNamed(ctx: Ctx, scope: ProjectScope, nameOrId: string): Promise<OnlineRule> {
  const id = (await listRules(ctx, scope)).find(({ name }) => name === nameOrId)?.id ?? nameOrId;
  return findRule(ctx, scope, id);
}

/** Changes that the command line makes. */
export const onlineRuleActions = [
  defineAction({
    name: 'rules.create',
    input: z.object({ project, rule: ruleInput }),
    run: async (ctx, input, actor) => {
      const scope = operatorScope(await findProject(ctx, input.project));
      return createRule(ctx, { scope, actor, by: 'operator' }, input.rule);
    },
  }),
  defineAction({
    name: 'rules.delete',
    input: z.object({ project, rule: z.string().min(1).max(100) }),
    run: async (ctx, input, actor) => {
      const scope = operatorScope(await findProject(ctx, input.project));
      const rules = await listRules(ctx, scope);
      const id = rules.find((one) => one.name === input.rule)?.id ?? input.rule;
      await deleteRule(ctx, { scope, actor, by: 'operator' }, id);
      return { id };
    },
  }),
  defineAction({
    name: 'rules.enable',
    input: z.object({ project, rule, enabled: z.boolean() }),
    run: async (ctx, { enabled, ...input }, actor) => {
      const scope = operatorScope(await findProject(ctx, input.project));
      const known = await findNamed(ctx, scope, input.rule);
      const changed = ruleInput.parse({
        name: known.name,
        evaluatorId: known.evaluatorId,
        filter: known.filter,
        sampleRate: known.sampleRate,
        delaySeconds: known.delaySeconds,
        monthlyUsd: known.monthlyUsd,
        judgesUnstored: known.judgesUnstored,
        enabled,
      });
      return changeRule(ctx, { scope, actor, by: 'operator' }, { id: known.id, input: changed });
    },
  }),
  defineAction({
    name: 'rules.backfill',
    input: z.object({ project, rule, window: backfillInput }),
    run: async (ctx, input, actor) => {
      const scope = operatorScope(await findProject(ctx, input.project));
      const { id } = await findNamed(ctx, scope, input.rule);
      return startBackfill(ctx, { scope, actor, by: 'operator' }, { id, input: input.window });
    },
  }),
] as const;
