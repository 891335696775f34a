import { z } from 'zod';
import { BUDGET_PERIODS, budgetSchema } from '../../src/core/budgets/contract.ts';
import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { orgOption } from '../prices/fields.ts';
import { projectIdOf } from '../project.ts';
import { act } from '../session.ts';
import { usageError } from '../user-error.ts';
import { budgetColumns } from './print.ts';

const usd = z
  .string()
  .regex(/^\d{1,7}(\.\d{1,6})?$/, 'expected an amount in USD such as 250')
  .transform(Number);
const levels = z
  .string()
  .regex(/^\d{1,4}(,\d{1,4})*$/, 'expected percentages such as 50,80,100')
  .transform((text) => text.split(',').map(Number));

export const budgetsSet = defineCommand({
  name: 'budgets set',
  summary: 'Set a budget for the organization, a project, a key, an end user, a tag, an agent or a tool',
  args: { limit: { summary: 'USD per period', type: usd } },
  options: {
    ...orgOption,
    per: {
      value: 'PERIOD',
      summary: 'day, week (from Monday) or month; UTC',
      choices: BUDGET_PERIODS,
      default: 'month',
    },
    project: { value: 'PROJECT', summary: 'Id or name of a project', short: 'p' },
    key: { value: 'KEY', summary: 'Id of an API key', id: 'key' },
    user: { value: 'USER', summary: 'End user in --project' },
    tag: { value: 'NAME=VALUE', summary: 'A tag value, in --project or in the whole organization' },
    agent: { value: 'AGENT', summary: 'Calls that name this agent, in --project' },
    tool: { value: 'TOOL', summary: 'Calls of models that name this tool, in --project' },
    levels: { value: 'LIST', summary: 'Percentages at which to warn', type: levels },
    name: { value: 'NAME', summary: 'Name of the budget' },
    id: { value: 'ID', summary: 'Id of the budget to replace', id: 'budget' },
  },
  examples: [
    'spanledger budgets set 500 --per month',
    'spanledger budgets set 20 --per day --project assistant --user u-42',
    'spanledger budgets set 50 --per week --project assistant --agent researcher',
    'spanledger budgets set 100 --per week --tag team=search --levels 60,90,100',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const organization = await chooseOrganization(ctx, options.org);
    const projectId = await projectIdOf(ctx, options.project);
    const budget = {
      name: options.name,
      of: wholeOf(options, projectId),
      period: options.per,
      limitUsd: args.limit,
      levels: options.levels,
    };
    const input = { organization, budget, ...(options.id === undefined ? {} : { id: options.id }) };
    const doc = await act(ctx, { action: 'budgets.set', input, reply: budgetSchema });
    output.result(doc, () => {
      output.table(budgetColumns, [doc]);
      output.success(`Budget ${doc.id} set`);
    });
  },
});

type Wish = Partial<Record<'key' | 'user' | 'tag' | 'agent' | 'tool', string | undefined>>;

function wholeOf({ key, user, tag, agent, tool }: Wish, projectId: string | undefined): object {
  if ([key, user, tag, agent, tool].filter((one) => one !== undefined).length > 1)
    throw usageError(
      'Only one of --key, --user, --tag, --agent and --tool can be given',
      'Set one budget for each',
    );
  if (key !== undefined) return { kind: 'key', keyId: key };
  if (user !== undefined) {
    if (projectId === undefined) throw usageError('--user needs a project', 'Add --project');
    return { kind: 'user', projectId, userId: user };
  }
  if (agent !== undefined) {
    if (projectId === undefined) throw usageError('--agent needs a project', 'Add --project');
    return { kind: 'agent', projectId, agent };
  }
  if (tool !== undefined) {
    if (projectId === undefined) throw usageError('--tool needs a project', 'Add --project');
    return { kind: 'tool', projectId, tool };
  }
  if (tag === undefined)
    return projectId === undefined ? { kind: 'organization' } : { kind: 'project', projectId };
  const at = tag.indexOf('=');
  if (at < 1) throw usageError(`--tag ${tag} has no value`, 'Write --tag NAME=VALUE');
  return { kind: 'tag', projectId, tag: tag.slice(0, at), value: tag.slice(at + 1) };
}
