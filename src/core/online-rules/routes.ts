import { actorOf } from '../../module.ts';
import { type Callers, route } from '../tenancy/index.ts';
import { startBackfill } from './backfill/start-backfill.ts';
import { changeRule, createRule, deleteRule, type RuleEditor } from './change-rule.ts';
import {
  backfillEndpoint,
  deleteRuleEndpoint,
  getRuleEndpoint,
  listRuleItemsEndpoint,
  listRulesEndpoint,
  postRuleEndpoint,
  putRuleEndpoint,
} from './contract.ts';
import { findRule, listItems, listRules } from './queries.ts';

const editorOf = (
  caller: Callers['project'],
  input: { request: Request; address: string | null },
): RuleEditor => ({ scope: caller.scope, actor: actorOf(caller, input), by: caller.userId });

export const onlineRuleRoutes = [
  route(listRulesEndpoint, async (ctx, _input, { scope }) => ({ rules: await listRules(ctx, scope) })),
  route(postRuleEndpoint, (ctx, input, caller) => createRule(ctx, editorOf(caller, input), input.body)),
  route(getRuleEndpoint, (ctx, { params }, { scope }) => findRule(ctx, scope, params.id)),
  route(putRuleEndpoint, (ctx, input, caller) =>
    changeRule(ctx, editorOf(caller, input), { id: input.params.id, input: input.body }),
  ),
  route(deleteRuleEndpoint, async (ctx, input, caller) => {
    await deleteRule(ctx, editorOf(caller, input), input.params.id);
    return null;
  }),
  route(listRuleItemsEndpoint, async (ctx, { params, query: { state, limit } }, { scope }) => {
    const { id } = await findRule(ctx, scope, params.id);
    return { items: await listItems(ctx, id, { state, limit }) };
  }),
  route(backfillEndpoint, (ctx, input, caller) =>
    startBackfill(ctx, editorOf(caller, input), { id: input.params.id, input: input.body }),
  ),
];
