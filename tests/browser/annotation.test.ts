import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { QueueDetail, QueueItem } from '../../src/core/annotation-queues/contract.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

const ANSWERS = ['Paris', 'Lyon', 'Nice'];

describe.skipIf(!hasBrowser)('annotation', () => {
  let world: World;
  let member: { bearer: string; userId: string };
  beforeAll(async () => {
    world = await openWorld();
    member = await world.app.addUser('member');
    const { apiKey, bearer, projectId } = world.app.seed;
    await world.app.fetch(`/v1/projects/${projectId}/sdk-config`, {
      method: 'PUT',
      bearer,
      json: { storePrompts: true },
    });
    const events = ANSWERS.map((output, i) => ({
      trace_id: `trace-${i}`,
      span_id: 'root',
      provider: 'openai',
      model: 'gpt-4o',
      input: 'What is the capital of France?',
      output,
      environment: 'production',
      timestamp: new Date(world.app.clock.now() - (i + 1) * 60_000).toISOString(),
    }));
    expect((await world.app.fetch('/v1/ingest', { apiKey, events })).status).toBe(202);
    for (const definition of [
      { name: 'correct', type: 'boolean' },
      { name: 'grade', type: 'numeric', min: 1, max: 5 },
      { name: 'tone', type: 'category', categories: ['polite', 'rude'], direction: 'none' },
    ])
      await world.app.fetch(`/v1/score-definitions?projectId=${projectId}`, { bearer, json: definition });
  }, 60_000);
  afterAll(() => world.close());

  const at = (path: string): string => `/projects/${world.app.seed.projectId}/${path}`;
  const read = async <T>(path: string): Promise<T> => {
    const url = `/v1/${path}?projectId=${world.app.seed.projectId}`;
    return (await (await world.app.fetch(url, { bearer: member.bearer })).json()) as T;
  };

  test('a member makes a queue, and annotates it with the keyboard alone', async () => {
    const { page, complaints, go, close } = await world.open({ bearer: member.bearer });
    await go(at('annotation-queues'));
    await page.getByRole('button', { name: 'New queue' }).click();
    const dialog = page.getByRole('dialog', { name: 'New annotation queue' });
    await dialog.getByLabel('Name').fill('Capitals');
    for (const name of ['correct', 'grade', 'tone']) await dialog.getByLabel(name, { exact: true }).check();
    await dialog.getByLabel('Filter').fill('environment:production');
    await dialog.getByLabel('People per item').fill('2');
    await dialog.getByLabel('Instructions').fill('Only the city counts.');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create queue' }).click();
    await page.getByRole('heading', { name: 'Capitals' }).waitFor();
    await page.getByRole('button', { name: 'Annotate' }).click();

    const isPressed = (name: string) => page.getByRole('button', { name, exact: true, pressed: true });
    await page.getByText('Paris').first().waitFor();
    await page.getByText('Item 1', { exact: true }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    // Each value goes on to the next score; Enter saves.
    await page.keyboard.press('y');
    await isPressed('Yes').waitFor();
    await page.keyboard.press('5');
    await isPressed('5').waitFor();
    await page.keyboard.press('p');
    await isPressed('polite').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Item 2', { exact: true }).waitFor();
    await page.getByText('Lyon').first().waitFor();
    await page.keyboard.press('2');
    await page.keyboard.press('1');
    await page.keyboard.press('2');
    await isPressed('rude').waitFor();
    await page.keyboard.press('c');
    await page.keyboard.type('Not the capital, says 1 reader');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Item 3', { exact: true }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('Item 2', { exact: true }).waitFor();
    await isPressed('rude').waitFor();
    // A second thought about one score.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('3');
    await isPressed('3').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Item 3', { exact: true }).waitFor();
    await page.keyboard.press('s');
    await page.getByText('Nothing waits for you').waitFor();
    expect(complaints).toEqual([]);
    await close();

    const { queues } = await read<{ queues: { id: string }[] }>('annotation-queues');
    const id = queues[0]?.id ?? '';
    expect(await read<QueueDetail>(`annotation-queues/${id}`)).toMatchObject({
      items: 3,
      done: 0,
      mine: { done: 2, skipped: 1, open: 0 },
    });
    const { items } = await read<{ items: QueueItem[] }>(`annotation-queues/${id}/items`);
    expect(items.map(({ annotations: [own] }) => [own?.state, own?.scores, own?.comment])).toEqual([
      ['done', { correct: true, grade: 5, tone: 'polite' }, null],
      ['done', { correct: false, grade: 3, tone: 'rude' }, 'Not the capital, says 1 reader'],
      ['skipped', {}, null],
    ]);
  });

  test('the queue shows how far two people agree, and what they valued differently', async () => {
    const { queues } = await read<{ queues: { id: string }[] }>('annotation-queues');
    const id = queues[0]?.id ?? '';
    const { bearer, projectId } = world.app.seed;
    for (const [no, correct] of [
      [1, true],
      [2, true],
    ])
      await world.app.fetch(`/v1/annotation-queues/${id}/items/${no}/annotation?projectId=${projectId}`, {
        method: 'PUT',
        bearer,
        json: { scores: { correct, grade: 4, tone: 'polite' } },
      });
    const { page, complaints, go, close } = await world.open({ bearer: member.bearer });
    await go(at(`annotation-queues/${id}`));
    const agreement = page.getByRole('table').filter({ hasText: "Cohen's kappa" });
    await agreement.getByText('1 of 2').first().waitFor();
    await page.getByText('Different values', { exact: true }).click();
    await page.getByText('Item 2', { exact: true }).waitFor();
    expect(await page.getByText('grade 3').count()).toBe(1);
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });
});
