import { z } from 'zod';
import {
  APPLIED_AS,
  decisionReply,
  MAX_REASON,
  type Recommendation,
} from '../../src/features/ai/recommendations/contract.ts';
import { type BaseContext, defineCommand } from '../command.ts';
import { confirm } from '../confirm.ts';
import { type KnownProject, projectOption } from '../project.ts';
import { block, section } from '../report/pieces.ts';
import { act } from '../session.ts';
import { EXIT, UserError } from '../user-error.ts';
import { printChange } from './print-recommendation.ts';
import { readRecommendation } from './read-recommendations.ts';

const id = { summary: 'Id of the recommendation, or its start', id: 'recommendation' } as const;

export const recommendationsDismiss = defineCommand({
  name: 'recommendations dismiss',
  summary: 'Dismiss a recommendation, with the reason',
  args: { id },
  options: {
    ...projectOption,
    reason: {
      value: 'TEXT',
      summary: 'Why, for those who read it later',
      required: true,
      type: z.string().trim().min(1, 'is empty').max(MAX_REASON),
    },
  },
  examples: ['spanledger recommendations dismiss rec_0f9c2b71 --reason "a load test"'],
  run: async (ctx) => {
    const { project, recommendation } = await readRecommendation(ctx, ctx.options.project, ctx.args.id);
    const input = { project: project.id, id: recommendation.id, reason: ctx.options.reason };
    const doc = await act(ctx, { action: 'recommendations.dismiss', input, reply: decisionReply });
    ctx.output.result(doc, () => ctx.output.success(`Dismissed: ${recommendation.title}`));
  },
});

export const recommendationsReopen = defineCommand({
  name: 'recommendations reopen',
  summary: 'Forget that a recommendation was dismissed or applied',
  args: { id },
  options: projectOption,
  examples: ['spanledger recommendations reopen rec_0f9c2b71'],
  run: async (ctx) => {
    const { project, recommendation } = await readRecommendation(ctx, ctx.options.project, ctx.args.id);
    const input = { project: project.id, id: recommendation.id };
    const doc = await act(ctx, { action: 'recommendations.reopen', input, reply: decisionReply });
    ctx.output.result(doc, () => ctx.output.success(`Open again: ${recommendation.title}`));
  },
});

export const recommendationsApply = defineCommand({
  name: 'recommendations apply',
  summary: 'Note that you changed the application, or create an alert or a budget',
  args: { id },
  options: {
    ...projectOption,
    as: {
      value: 'WHAT',
      summary: 'change: nothing is created; alert or budget: shown, then created',
      choices: APPLIED_AS,
      default: 'change',
    },
    yes: { summary: 'Create it without asking' },
  },
  examples: [
    'spanledger recommendations apply rec_0f9c2b71',
    'spanledger recommendations apply rec_0f9c2b71 --as alert',
    'spanledger recommendations apply rec_0f9c2b71 --as budget --yes --json',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { as, yes } = options;
    const { project, recommendation } = await readRecommendation(ctx, options.project, args.id);
    if (recommendation.state !== 'open') throw isDecided(recommendation);
    const made = as === 'change' ? null : await make(ctx, { as, yes, project, recommendation });
    const input = { project: project.id, id: recommendation.id, as };
    const doc = await act(ctx, { action: 'recommendations.apply', input, reply: decisionReply });
    output.result({ ...doc, as, made }, () => {
      if (made === null) printChange(output, recommendation);
      else output.success(`${as === 'alert' ? 'Alert' : 'Budget'} ${made.id} created`);
      output.success(`Applied: ${recommendation.title}`);
      output.info('`spanledger recommendations show` says from tomorrow on what it saved');
    });
  },
});

type Wish = {
  readonly as: 'alert' | 'budget';
  readonly yes: boolean;
  readonly project: KnownProject;
  readonly recommendation: Recommendation;
};

const madeReply = z.looseObject({ id: z.string(), name: z.string() });

/** Shows the document and creates it when the user confirms. Throws what `confirm` throws. */
async function make(
  ctx: BaseContext,
  { as, yes, project, recommendation }: Wish,
): Promise<{ readonly id: string; readonly name: string }> {
  const document = recommendation.documents.find((one) => one.as === as);
  if (document === undefined) throw new Error(`a recommendation has no ${as}`);
  const { output } = ctx;
  if (!output.json) {
    section(output, `New ${as}`, project.name);
    block(output, document.body);
  }
  await confirm(ctx, { warning: `This ${as} will be created in ${project.name}`, word: as, yes });
  const what =
    as === 'alert'
      ? { action: 'alerts.create', input: { project: project.id, alert: document.body } }
      : { action: 'budgets.set', input: { organization: project.organizationId, budget: document.body } };
  const { id, name } = await act(ctx, { ...what, reply: madeReply, copilot: true });
  return { id, name };
}

const isDecided = ({ state, id: whole }: Recommendation): UserError =>
  new UserError({
    what: `The recommendation is ${state} already`,
    fix: `Run \`spanledger recommendations reopen ${whole.slice(0, 12)}\` first`,
    code: 'conflict',
    exit: EXIT.conflict,
  });
