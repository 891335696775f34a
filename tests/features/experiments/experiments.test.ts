import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Experiment, ExperimentDetail } from '../../../src/features/experiments/contract.ts';
import { type Lab, openLab } from './world.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
  await lab.send('POST', 'prompts', {
    name: 'answer',
    template: 'Answer: {{question}}',
    config: { model: 'gpt-4o-mini', temperature: 0, maxTokens: 50 },
    labels: ['production'],
  });
});
afterAll(() => lab.close());

const JUDGE = {
  kind: 'judge',
  scoreName: 'tone',
  config: { model: 'openai/gpt-4o', messages: [{ role: 'user', content: 'Is it friendly? {{output}}' }] },
  output: { type: 'numeric', min: 0, max: 5 },
};
const ACCURACY = { kind: 'exact', scoreName: 'accuracy' };
const questions = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `q${i}`,
    input: { question: `What is ${i} + 1?` },
    expectedOutput: String(i + 1),
    split: i % 2 === 0 ? 'even' : 'odd',
  }));
const PROMPT = { kind: 'prompt', prompt: 'answer' };
/** Answers sums, every tenth wrongly, and judges with 4. */
function answerSums(wrong = (_: number): boolean => false): void {
  lab.provider.answer = ({ body, model }) => {
    const text = JSON.stringify(body.messages);
    if (model === 'gpt-4o') return { text: ['{"reason":"polite","value":4}'] };
    const number = Number(/What is (\d+) \+ 1/.exec(text)?.[1]);
    return { text: [String(wrong(number) ? -1 : number + 1)], usage: { input: 100, output: 10 } };
  };
}
const create = (body: object) =>
  lab.send<Experiment>('POST', 'experiments', { name: 'sums', task: PROMPT, ...body });
const metric = ({ metrics }: ExperimentDetail, name: string) => metrics.find((one) => one.name === name);

describe('on the server', () => {
  test('a prompt runs over a version with evaluators, and its cost is in the books to the nano-dollar', async () => {
    const { id: datasetId, name } = await lab.dataset(questions(30));
    answerSums((i) => i % 10 === 0);
    lab.provider.requests.length = 0;
    const { id, task } = await create({
      datasetId: name,
      evaluators: [
        ACCURACY,
        { kind: 'numeric', scoreName: 'near', config: { tolerance: 2 } },
        { kind: 'contains', scoreName: 'positive', config: { texts: ['1'] } },
        JUDGE,
      ],
    });
    expect(task).toEqual({ kind: 'prompt', prompt: 'answer', version: 1, model: 'openai/gpt-4o-mini' });
    // A later version of the dataset does not change what runs.
    await lab.send('POST', `datasets/${datasetId}/items`, { remove: ['q29'] });
    const done = await lab.until(id, 'completed');
    expect(done.runs).toEqual({ waiting: 0, judging: 0, done: 30, failed: 0 });
    expect(metric(done, 'accuracy')).toMatchObject({ n: 30, mean: 0.9 });
    expect(metric(done, 'near')?.mean).toBeCloseTo(28 / 30);
    expect(metric(done, 'tone')).toMatchObject({ mean: 4, low: 4, high: 4 });
    expect(lab.provider.requests).toHaveLength(60);
    const [run] = await lab.runs(id);
    expect(run).toMatchObject({ itemId: 'q0', output: '-1', state: 'done', expectedOutput: '1' });
    expect(run?.scores).toContainEqual({ name: 'tone', value: 4, comment: 'polite', error: null });
    const { total } = await lab.send<{ total: { values: { cost: number; requests: number } } }>(
      'POST',
      'metrics/query',
      {
        measures: ['cost', 'requests'],
        filter: `environment:spanledger tags.experiment:${id}`,
        start: new Date(lab.world.clock.now() - 60_000).toISOString(),
        end: new Date(lab.world.clock.now() + 60_000).toISOString(),
      },
    );
    expect(total.values.requests).toBe(60);
    expect(Math.round(total.values.cost * 1e9)).toBe(Math.round(done.costUsd * 1e9));
    expect(done.costUsd).toBeGreaterThan(done.taskCostUsd);
    const { trace } = await lab.send<{ trace: { spans: number } }>('GET', `traces/${run?.traceId}`);
    expect(trace.spans).toBe(2);
  });

  test('a split, repetitions and the comparison with a baseline, item by item and in sum', async () => {
    const { id: datasetId } = await lab.dataset(questions(60));
    answerSums();
    const evaluators = [ACCURACY];
    const base = await create({ datasetId, split: 'even', evaluators });
    await lab.until(base.id, 'completed');
    answerSums((i) => i < 40);
    const { id } = await create({
      datasetId,
      split: 'even',
      evaluators,
      repetitions: 2,
      baselineId: base.id,
    });
    const done = await lab.until(id, 'completed');
    expect(done.planned).toBe(60);
    const accuracy = done.comparison?.metrics.find((one) => one.name === 'accuracy');
    expect(accuracy).toMatchObject({ wins: 0, losses: 20, ties: 10, verdict: 'worse', baseline: 1 });
    expect(accuracy?.difference).toMatchObject({ n: 30, mean: -20 / 30 });
    const cost = done.comparison?.metrics.find(({ kind }) => kind === 'cost');
    expect(cost).toMatchObject({ verdict: 'unclear', p: 1, ties: 30 });
    const worse = await lab.runs(id, '&only=worse&metric=accuracy');
    expect(worse.map(({ itemId, repetition }) => `${itemId}.${repetition}`)).toEqual(
      Array.from({ length: 20 }, (_, i) => [`q${2 * i}.1`, `q${2 * i}.2`]).flat(),
    );
    expect(worse[0]?.baseline).toMatchObject({ output: '1' });
    expect(await lab.runs(id, '&only=better&metric=accuracy')).toEqual([]);
    const { experiments } = await lab.send<{ experiments: Experiment[] }>(
      'GET',
      `experiments?datasetId=${datasetId}`,
    );
    expect(experiments.map((one) => one.id)).toEqual([id, base.id]);
    expect(experiments[1]?.metrics.find(({ name }) => name === 'accuracy')?.mean).toBe(1);
  });

  test('saved evaluators stay as they were, categories are shares, and an item without what is needed has no score', async () => {
    const [plain, ...others] = questions(4);
    const { id: datasetId } = await lab.dataset([{ ...plain, expectedOutput: null }, ...others]);
    lab.provider.answer = ({ model, body }) => {
      if (model !== 'gpt-4o') return { text: ['1'] };
      return {
        text: [`{"reason":"so","value":"${JSON.stringify(body).includes('is 3') ? 'rude' : 'polite'}"}`],
      };
    };
    const saved = { name: 'Is a digit', kind: 'regex', scoreName: 'digit', config: { pattern: '^[0-9]$' } };
    const { id: evaluatorId } = await lab.send<{ id: string }>('POST', 'evaluators', saved);
    const tone = {
      ...JUDGE,
      config: { ...JUDGE.config, messages: [{ role: 'user', content: '{{input}} {{output}}' }] },
      output: { type: 'category', categories: ['polite', 'rude'] },
    };
    await lab.send('PUT', `evaluators/${evaluatorId}`, { ...saved, config: { pattern: 'never' } });
    const evaluators = [{ kind: 'saved', name: 'Is a digit', version: 1 }, tone, ACCURACY];
    const { id } = await create({ datasetId, evaluators });
    await lab.send('DELETE', `evaluators/${evaluatorId}`);
    const done = await lab.until(id, 'completed');
    expect(metric(done, 'digit')).toMatchObject({ n: 4, mean: 1 });
    expect(metric(done, 'tone=polite')).toMatchObject({ n: 4, mean: 0.75, direction: 'none' });
    expect(metric(done, 'tone=rude')).toMatchObject({ n: 4, mean: 0.25 });
    expect(metric(done, 'accuracy')).toMatchObject({ n: 3 });
    expect(done.failedScores).toBe(0);
    expect(done.evaluators[0]).toMatchObject({ name: 'Is a digit', version: 1, kind: 'regex' });
    const [run] = await lab.runs(id);
    expect(run?.scores).toEqual([
      { name: 'accuracy', value: null, comment: 'there is no expected output', error: null },
      { name: 'digit', value: 1, comment: null, error: null },
      { name: 'tone', value: 'polite', comment: 'so', error: null },
    ]);
    const base = await create({ datasetId, evaluators: [tone], baselineId: id });
    const compared = (await lab.until(base.id, 'completed')).comparison?.metrics;
    expect(compared?.find(({ name }) => name === 'tone=rude')).toMatchObject({ ties: 4, verdict: 'unclear' });
    expect(await lab.runs(base.id, '&only=same&metric=tone%3Drude')).toHaveLength(4);
  });

  test('what would cost too much pauses it, and it goes on with a higher limit without repeating a call', async () => {
    const { id: datasetId } = await lab.dataset(questions(12));
    answerSums();
    lab.provider.requests.length = 0;
    const estimate = await lab.send<{ calls: number; expectedUsd: number; maxUsd: number }>(
      'POST',
      'experiments/estimate',
      { datasetId, task: PROMPT },
    );
    expect(estimate).toMatchObject({ items: 12, runs: 12, calls: 12 } as never);
    expect(estimate.maxUsd).toBeGreaterThan(estimate.expectedUsd);
    expect(lab.provider.requests).toEqual([]);
    const one = (100 * 0.15 + 10 * 0.6) / 1e6;
    const { id } = await create({ datasetId, concurrency: 2, maxCostUsd: one * 5.5 });
    const paused = await lab.until(id, 'paused');
    expect(paused.error).toContain('Resume it with a higher limit');
    expect(paused.costUsd).toBeLessThanOrEqual(one * 5.5);
    expect(paused.runs.done).toBe(5);
    expect(await lab.refused('POST', `experiments/${id}/finish`)).toMatchObject([409, expect.anything()]);
    await lab.send('POST', `experiments/${id}/resume`, { maxCostUsd: 1 });
    await lab.until(id, 'completed');
    expect(lab.provider.requests).toHaveLength(12);
  });

  test('a judge whose model is not configured is named', async () => {
    const { id: datasetId } = await lab.dataset(questions(2));
    const evaluators = [{ ...JUDGE, config: { ...JUDGE.config, model: 'openai/no-such-model' } }];
    const [status, error] = await lab.refused('POST', 'experiments/estimate', {
      ...{ datasetId, task: PROMPT, evaluators },
    });
    expect([status, error]).toEqual([400, expect.stringMatching(/^The judge of the score tone: model: /)]);
  });

  test('a prompt with variables that no item has is refused with the fields that there are', async () => {
    const { id: datasetId } = await lab.dataset([
      { id: 'first', input: { text: 'What is 1 + 1?', question: null }, expectedOutput: '2' },
      { id: 'second', input: 'What is 2 + 1?', expectedOutput: '3' },
    ]);
    expect(await lab.refused('POST', 'experiments/estimate', { datasetId, task: PROMPT })).toEqual([
      400,
      'The item first has no value for question, which the prompt names; the fields of its input are text. Add it to the inputs of the dataset, or choose another prompt',
    ]);
  });

  test('estimate and reply say which items the prompt cannot take, and count no calls for them', async () => {
    const { id: datasetId } = await lab.dataset([
      ...questions(2),
      { id: 'odd', input: { text: 'What is 1 + 1?' }, expectedOutput: '2' },
    ]);
    answerSums();
    const unusable = {
      items: 1,
      of: 3,
      reason: expect.stringContaining('The item odd has no value for question'),
    };
    const estimate = await lab.send('POST', 'experiments/estimate', { datasetId, task: PROMPT });
    expect(estimate).toMatchObject({ items: 3, runs: 3, calls: 2, unusable } as never);
    const all = await lab.dataset(questions(2));
    const whole = await lab.send<{ expectedUsd: number; maxUsd: number; unusable: null }>(
      'POST',
      'experiments/estimate',
      { datasetId: all.id, task: PROMPT },
    );
    expect(estimate).toMatchObject({ expectedUsd: whole.expectedUsd, maxUsd: whole.maxUsd } as never);
    expect(whole.unusable).toBeNull();
    const made = await lab.send<{ id: string }>('POST', 'experiments', {
      ...{ name: 'some', datasetId, task: PROMPT },
    });
    expect(made).toMatchObject({ unusable } as never);
    expect((await lab.until(made.id, 'completed')).runs).toMatchObject({ done: 2, failed: 1 });
  });

  test('failed items are errors of their own, and can be run again', async () => {
    const { id: datasetId } = await lab.dataset([...questions(3), { id: 'odd', input: 'no field' }]);
    lab.provider.answer = ({ body }) =>
      JSON.stringify(body).includes('What is 1') ? { status: 400, error: 'too odd' } : { text: ['x'] };
    const { id } = await create({ datasetId, evaluators: [ACCURACY] });
    const done = await lab.until(id, 'completed');
    expect(done.runs).toMatchObject({ done: 2, failed: 2 });
    const failed = await lab.runs(id, '&only=failed');
    expect(failed.map(({ itemId }) => itemId)).toEqual(['q1', 'odd']);
    expect(failed[0]?.error).toContain('too odd');
    expect(failed[1]?.error).toContain('question');
    answerSums();
    lab.provider.requests.length = 0;
    await lab.send('POST', `experiments/${id}/resume`, { retryFailed: true });
    expect((await lab.until(id, 'completed')).runs).toMatchObject({ done: 3, failed: 1 });
    expect(lab.provider.requests).toHaveLength(1);
  });

  test('a cancelled one ends its calls and stays cancelled', async () => {
    const { id: datasetId } = await lab.dataset(questions(20));
    const begun = Promise.withResolvers<void>();
    lab.provider.answer = () => {
      begun.resolve();
      return { before: new Promise(() => {}) };
    };
    const { id } = await create({ datasetId });
    await begun.promise;
    expect((await lab.send<Experiment>('POST', `experiments/${id}/cancel`)).status).toBe('cancelled');
    expect((await lab.send<ExperimentDetail>('GET', `experiments/${id}`)).runs.waiting).toBe(20);
    answerSums();
    await lab.send('POST', `experiments/${id}/resume`, {});
    expect((await lab.until(id, 'completed')).runs.done).toBe(20);
  });

  test.each([
    [{ datasetId: 'none' }, 404, 'There is no dataset none'],
    [{ task: { kind: 'prompt', prompt: 'none' } }, 404, 'There is no prompt none'],
    [{ task: { ...PROMPT, label: 'none' } }, 404, 'answer has no label none; it has production, latest'],
    [{ task: { ...PROMPT, model: 'openai/gpt-9' } }, 400, 'is not configured'],
    [{ split: 'none' }, 400, 'has no items in the split none'],
    [{ version: 9 }, 400, 'has the versions 1 to 1'],
    [{ baselineId: 'exp_none' }, 404, 'There is no experiment exp_none'],
    [{ evaluators: [{ kind: 'saved', name: 'none' }] }, 404, 'There is no evaluator none'],
    [{ evaluators: [{ kind: 'smart' }] }, 400, 'must be saved, or one of exact'],
    [{ evaluators: [{ kind: 'regex', scoreName: 'a', config: { pattern: '(' } }] }, 400, 'config.pattern'],
    [
      {
        evaluators: [
          { kind: 'exact', scoreName: 'a' },
          { kind: 'contains', scoreName: 'a' },
        ],
      },
      400,
      'evaluators: two of them give the score a; rename one',
    ],
  ])('%p cannot run', async (body, status, error) => {
    const { id: datasetId } = await lab.dataset(questions(1));
    const found = await lab.refused('POST', 'experiments', { name: 'x', datasetId, task: PROMPT, ...body });
    expect(found).toEqual([status, expect.stringContaining(error)]);
  });
});

describe('external', () => {
  const report = (id: string, items: readonly object[]) =>
    lab.send('POST', `experiments/${id}/items`, { items });

  test('results and scores are reported, repeated without effect, judged and compared', async () => {
    const { id: datasetId } = await lab.dataset(questions(10));
    answerSums();
    lab.provider.requests.length = 0;
    const body = {
      datasetId,
      task: { kind: 'external' },
      evaluators: [ACCURACY, JUDGE],
      runId: 'ci-7',
    };
    const { id } = await create(body);
    expect((await create(body)).id).toBe(id);
    const results = Array.from({ length: 9 }, (_, i) => ({
      itemId: `q${i}`,
      output: String(i + 1),
      latencyMs: 100 + i,
      costUsd: 0.001,
      scores: [{ name: 'own', value: i % 2 === 0 }],
    }));
    await report(id, results);
    await report(id, results.slice(3));
    await report(id, [{ itemId: 'q9', error: 'timeout' }]);
    await lab.send('POST', `experiments/${id}/finish`);
    const done = await lab.until(id, 'completed');
    expect(done.runs).toEqual({ waiting: 0, judging: 0, done: 9, failed: 1 });
    expect(lab.provider.requests).toHaveLength(9);
    expect(metric(done, 'own')?.mean).toBeCloseTo(5 / 9);
    expect(metric(done, 'accuracy')?.mean).toBe(1);
    expect(metric(done, 'latency')?.mean).toBe(104);
    expect(metric(done, 'failures')?.mean).toBeCloseTo(0.1);
    expect(done.taskCostUsd).toBeCloseTo(0.009);
    expect(await lab.refused('POST', `experiments/${id}/items`, { items: results })).toEqual([
      409,
      'sums is completed; only an open experiment takes results',
    ]);
  });

  test('another output for an item replaces the first, and is judged anew', async () => {
    const { id: datasetId } = await lab.dataset(questions(2));
    const { id } = await create({
      datasetId,
      task: { kind: 'external' },
      evaluators: [ACCURACY],
    });
    await report(id, [{ itemId: 'q0', output: 'wrong' }]);
    await report(id, [
      { itemId: 'q0', output: '1' },
      { itemId: 'q1', output: '2' },
    ]);
    await lab.send('POST', `experiments/${id}/finish`);
    expect(metric(await lab.until(id, 'completed'), 'accuracy')).toMatchObject({ n: 2, mean: 1 });
  });

  test('unknown items and repetitions are refused, and nothing of the request is stored', async () => {
    const { id: datasetId } = await lab.dataset(questions(2));
    const { id } = await create({ datasetId, task: { kind: 'external' } });
    const sent = (items: readonly object[]) => lab.refused('POST', `experiments/${id}/items`, { items });
    expect(await sent([{ itemId: 'q0', output: 1 }, { itemId: 'no' }])).toEqual([
      400,
      'There is no item no in version 1 of the dataset',
    ]);
    expect(await sent([{ itemId: 'q0', repetition: 2 }])).toEqual([
      400,
      'q0: the experiment has 1 repetitions, not 2',
    ]);
    expect(await sent([{ itemId: 'q0' }, { itemId: 'q0' }])).toEqual([400, 'q0: is twice in the request']);
    expect(await lab.runs(id)).toEqual([]);
  });

  test('another organization sees nothing; a deleted one is gone with its results', async () => {
    const { id: datasetId } = await lab.dataset(questions(2));
    const { id } = await create({ datasetId, task: { kind: 'external' } });
    await report(id, [{ itemId: 'q0', output: 1 }]);
    const other = await lab.world.addTenant(`T${Bun.randomUUIDv7().slice(-6)}`);
    const reply = await lab.world.fetch(`/v1/experiments/${id}?projectId=${other.projectId}`, {
      bearer: other.bearer,
    });
    expect(reply.status).toBe(404);
    await lab.send('DELETE', `experiments/${id}`);
    expect(await lab.refused('GET', `experiments/${id}`)).toEqual([404, `There is no experiment ${id}`]);
    const left = await lab.world.ctx.db.sql.all(
      `SELECT 1 FROM experiment_runs WHERE experiment_id = '${id}'` as never,
    );
    expect(left).toEqual([]);
  });
});
