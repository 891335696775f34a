import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { DatasetItem } from '../../src/core/datasets/contract.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

describe.skipIf(!hasBrowser)('traces for datasets and annotation queues', () => {
  let world: World;
  let member: { bearer: string };
  const at = (path: string): string => `/projects/${world.app.seed.projectId}/${path}`;
  const call = async (path: string, json?: object, method?: string): Promise<unknown> => {
    const { projectId, bearer } = world.app.seed;
    const url = `/v1/${path}${path.includes('?') ? '&' : '?'}projectId=${projectId}`;
    const init = { bearer, ...(json !== undefined && { json }), ...(method !== undefined && { method }) };
    return (await world.app.fetch(url, init)).json();
  };
  beforeAll(async () => {
    world = await openWorld();
    member = await world.app.addUser('member');
    const { apiKey, projectId } = world.app.seed;
    await world.app.fetch(`/v1/projects/${projectId}/sdk-config`, {
      method: 'PUT',
      bearer: world.app.seed.bearer,
      json: { storePrompts: true },
    });
    const events = [1, 2, 3].map((i) => ({
      trace_id: `trace-${i}`,
      span_id: 'root',
      name: `question ${i}`,
      provider: 'openai',
      model: 'gpt-4o',
      input: `What is ${i} + ${i}?`,
      output: String(2 * i),
      timestamp: new Date(world.app.clock.now() - i * 60_000).toISOString(),
    }));
    expect((await world.app.fetch('/v1/ingest', { apiKey, events })).status).toBe(202);
    await call('score-definitions', { name: 'correct', type: 'boolean' });
    await call('annotation-queues', { name: 'Sums to check', scoreNames: ['correct'] });
  }, 60_000);
  afterAll(() => world.close());

  test('chosen traces become items of a new dataset, and one of a queue', async () => {
    const { page, complaints, go, close } = await world.open({ bearer: member.bearer });
    await go(at('traces'));
    await page.getByRole('button', { name: 'Choose traces' }).click();
    await page.getByLabel('Choose question 1').check();
    await page.getByLabel('Choose question 3').check();
    await page.getByText('2 chosen').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add to dataset' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add 2 traces to a dataset' });
    await dialog.getByLabel('Name').fill('Sums');
    await dialog.getByLabel('Split').fill('test');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('2 added').waitFor();
    const { datasets } = (await call('datasets')) as { datasets: { id: string }[] };
    const { items } = (await call(`datasets/${datasets[0]?.id}/items`)) as { items: DatasetItem[] };
    expect(items.map(({ id, input, expectedOutput, split }) => [id, input, expectedOutput, split])).toEqual([
      ['trace-1', 'What is 1 + 1?', '2', 'test'],
      ['trace-3', 'What is 3 + 3?', '6', 'test'],
    ]);

    await go(at('traces/trace-2'));
    await page.getByRole('button', { name: 'Add to queue' }).click();
    const queue = page.getByRole('dialog', { name: 'Add one trace to a queue' });
    await queue.getByLabel('Annotation queue').selectOption('Sums to check');
    await queue.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('1 added').waitFor();
    const { queues } = (await call('annotation-queues')) as { queues: { items: number }[] };
    expect(queues).toMatchObject([{ items: 1 }]);
    expect(complaints).toEqual([]);
    await close();
  });
});
