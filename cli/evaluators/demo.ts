import type { App } from '../../src/app.ts';
import type { ProjectRow } from '../../src/core/projects/contract.ts';
import { ofProject, operatorScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import type { Actor } from '../../src/module.ts';

const DAYS = 14;
const PER_DAY = 15;
const MODEL = 'openai/gpt-4o-mini';

/**
 * Gives the demo scores of the last two weeks from users and reviewers, evaluators, and a rule that judges a tenth of what
 * arrives by its latency, which needs no model.
 */
export const createDemoScores = async (app: App, project: ProjectRow, actor: Actor): Promise<void> => {
  const [{ createEvaluator, JUDGE_LIBRARY }, { createRule }, scores, { eventsOf }] = await Promise.all([
    import('../../src/core/evaluators/index.ts'),
    import('../../src/core/online-rules/index.ts'),
    import('../../src/core/scores/index.ts'),
    import('../../src/core/events/index.ts'),
  ]);
  const { ctx } = app;
  const scope = operatorScope(project);
  const by = actor.kind === 'user' ? actor.userId : 'operator';
  const editor = { scope, actor, by, role: 'owner' } as const;
  for (const { categories, ...rest } of DEFINITIONS)
    await scores.createDefinition(ctx, editor, {
      ...rest,
      categories: categories === null ? null : [...categories],
    });
  const relevance = JUDGE_LIBRARY.find(({ id }) => id === 'relevance');
  if (relevance !== undefined) {
    const { title, description, messages, output } = relevance;
    await createEvaluator(ctx, editor, {
      name: title,
      description,
      scoreName: relevance.id,
      kind: 'judge',
      config: { model: MODEL, messages: [...messages], maxOutputTokens: 1_024 },
      output: { ...output, categories: null },
    });
  }
  const fast = await createEvaluator(ctx, editor, {
    name: 'Fast enough',
    description: 'Whether a trace takes at most five seconds.',
    scoreName: 'fast',
    kind: 'latency',
    config: { maxMs: 5_000 },
  });
  await createRule(ctx, editor, {
    name: 'A tenth of production',
    evaluatorId: fast.id,
    filter: 'environment:production',
    sampleRate: 0.1,
    delaySeconds: 120,
    monthlyUsd: null,
    judgesUnstored: false,
    enabled: true,
  });
  const now = ctx.now();
  for (let day = DAYS; day >= 1; day--) {
    const window = { from: now - day * DAY_MS, to: now - (day - 1) * DAY_MS };
    const page = await eventsOf(ctx).traces(ofProject(scope), {
      filters: { environment: 'production' },
      calls: false,
      window,
      cursor: null,
      limit: PER_DAY,
    });
    const given = page.parse().traces.flatMap(({ trace_id }, i) => scoresOf(trace_id, i, by));
    if (given.length > 0) await scores.writeScores(ctx, { scope, actor }, given);
  }
};

const definition = { min: null, max: null, categories: null, direction: 'higher' } as const;
const DEFINITIONS = [
  { ...definition, name: 'helpful', type: 'boolean', description: 'What users say of an answer.' },
  { ...definition, name: 'quality', type: 'numeric', description: 'By reviewers, 1 to 5.', min: 1, max: 5 },
  {
    ...definition,
    name: 'tone',
    type: 'category',
    description: 'How an answer sounds.',
    categories: ['friendly', 'neutral', 'unfriendly'],
    direction: 'none',
  },
] as const satisfies readonly object[];

/** Scores of a trace that its id decides, so that every demo has the same. */
function scoresOf(traceId: string, place: number, userId: string) {
  const dice = Bun.hash.xxHash32(traceId) % 100;
  const of = (name: string) => ({
    traceId,
    scoreId: `demo:${name}:${Bun.hash.xxHash32(`${name} ${traceId}`)}`,
    name,
  });
  const isHelpful = dice < 78;
  const comment = isHelpful ? undefined : 'It did not answer what I asked.';
  const user = { ...of('helpful'), value: isHelpful, source: 'api' as const, comment };
  if (place % 3 !== 0) return [user];
  const quality = Math.max(1, Math.min(5, Math.round((isHelpful ? 4 : 2) + (dice % 3) - 1)));
  const tone = dice < 55 ? 'friendly' : dice < 92 ? 'neutral' : 'unfriendly';
  const human = { source: 'human' as const, createdBy: userId };
  return [user, { ...of('quality'), ...human, value: quality }, { ...of('tone'), ...human, value: tone }];
}
