import { z } from 'zod';
import { defineAction } from '../../module.ts';
import { idOrName } from '../orgs/contract.ts';
import { findProject } from '../projects/index.ts';
import { operatorScope } from '../tenancy/index.ts';
import { createRule, deleteRule } from './change-rule.ts';
import { ruleInput } from './contract.ts';
import { listRules } from './queries.ts';

const project = idOrName;

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
] as const;
