import type { App } from '../../src/app.ts';
import type { ProjectRow } from '../../src/core/projects/contract.ts';
import { ofProject, operatorScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import type { Actor } from '../../src/module.ts';

const ITEMS = 60;
/** Variants of an assistant: how often each is right, and what a run costs and takes. */
const RUNS = [
  { name: 'gpt-4o', right: 0.93, costUsd: 0.0041, latencyMs: 1_450 },
  { name: 'gpt-4o-mini', right: 0.87, costUsd: 0.0003, latencyMs: 820 },
  { name: 'gpt-4o-mini, shorter prompt', right: 0.72, costUsd: 0.0002, latencyMs: 640 },
] as const;

/**
 * Gives the demo a dataset, experiments with a large and a small model on it, and a queue of traces that people score.
 * Nothing calls a model.
 */
export const createDemoExperiments = async (app: App, project: ProjectRow, actor: Actor): Promise<void> => {
  const [datasets, experiments, { createQueue }, { eventsOf }] = await Promise.all([
    import('../../src/core/datasets/index.ts'),
    import('../../src/features/experiments/index.ts'),
    import('../../src/core/annotation-queues/index.ts'),
    import('../../src/core/events/index.ts'),
  ]);
  const { ctx } = app;
  const scope = operatorScope(project);
  const userId = actor.kind === 'user' ? actor.userId : 'operator';
  const editor = { scope, actor, by: userId };
  const about = { name: 'Support questions', description: 'Questions of customers with the right team.' };
  const { id: datasetId } = await datasets.createDataset(ctx, editor, about);
  const items = Array.from({ length: ITEMS }, (_, i) => itemOf(i));
  await datasets.changeItems(ctx, editor, { datasetId, items, remove: [], message: 'Questions of a month' });
  let baselineId: string | undefined;
  for (const run of RUNS) {
    const { id } = await experiments.createExperiment(ctx, editor, {
      name: run.name,
      datasetId,
      task: { kind: 'external' },
      evaluators: [{ kind: 'exact', scoreName: 'right_team', config: { ignoreCase: true } }],
      repetitions: 1,
      concurrency: 4,
      ...(baselineId !== undefined && { baselineId }),
    });
    await experiments.reportResults(ctx, editor, {
      id,
      items: items.map((item, i) => resultOf(item, i, run)),
    });
    await experiments.finishExperiment(ctx, editor, id);
    baselineId ??= id;
  }
  const now = ctx.now();
  const page = await eventsOf(ctx).traces(ofProject(scope), {
    filters: { environment: 'production' },
    calls: false,
    window: { from: now - DAY_MS, to: now },
    cursor: null,
    limit: 20,
  });
  const traces = page.parse().traces.map(({ trace_id: traceId }) => ({ traceId }));
  if (traces.length > 0)
    await createQueue(
      ctx,
      { scope, actor, userId },
      {
        name: 'Answers of today',
        instructions: 'Quality is 5 if the customer has nothing left to ask.',
        scoreNames: ['quality', 'tone'],
        assignees: [],
        annotators: 2,
        items: traces,
      },
    );
};

const TEAMS = ['billing', 'shipping', 'returns', 'accounts'] as const;
const QUESTIONS: Readonly<Record<(typeof TEAMS)[number], readonly string[]>> = {
  billing: ['Why was I charged twice?', 'Can I pay by invoice?', 'Where is my receipt?'],
  shipping: ['Where is my parcel?', 'Do you ship to Norway?', 'Can I change the address?'],
  returns: ['The lamp is broken. What now?', 'How do I send it back?', 'When do I get my money back?'],
  accounts: ['I forgot my password.', 'How do I delete my account?', 'Can two people share an account?'],
};

function itemOf(i: number) {
  const team = TEAMS[i % TEAMS.length] ?? 'billing';
  const questions = QUESTIONS[team];
  const question = questions[Math.floor(i / TEAMS.length) % questions.length] ?? '';
  return {
    id: `question-${i + 1}`,
    input: { question: i < 12 ? question : `${question} Order ${1_000 + 37 * i}.` },
    expectedOutput: team,
    split: i % 5 === 0 ? 'test' : 'train',
  };
}

/** A result that item and variant decide, so that every demo has the same. */
function resultOf(
  { id, expectedOutput }: ReturnType<typeof itemOf>,
  i: number,
  { name, right, costUsd, latencyMs }: (typeof RUNS)[number],
) {
  const dice = (what: string): number => Bun.hash.xxHash32(`${what} ${id} ${name}`) / 2 ** 32;
  const other = TEAMS[(i + 1 + Math.floor(dice('other') * 3)) % TEAMS.length];
  return {
    itemId: id,
    repetition: 1,
    output: dice('right') < right ? expectedOutput : other,
    latencyMs: Math.round(latencyMs * (0.7 + 0.6 * dice('latency'))),
    costUsd: Math.round(costUsd * (0.8 + 0.4 * dice('cost')) * 1e7) / 1e7,
    scores: [],
  };
}
