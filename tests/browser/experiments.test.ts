import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { createProject } from '../../src/core/projects/index.ts';
import { openFolder } from '../helpers/folder.ts';
import { MOCK_KEY, modelsFile } from '../helpers/model-calls.ts';
import { type ModelProviderMock, startModelProvider } from '../helpers/model-provider.ts';
import { asker } from '../helpers/people.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

describe.skipIf(!hasBrowser)('the page of an experiment', () => {
  const folder = openFolder();
  let world: World;
  let mock: ModelProviderMock;
  beforeAll(async () => {
    process.env.MOCK_MODEL_KEY = MOCK_KEY;
    mock = startModelProvider();
    writeFileSync(folder.path('models.json'), modelsFile(mock));
    world = await openWorld({
      env: { MODELS_FILE: folder.path('models.json'), OUTBOUND_ALLOW: '127.0.0.1' },
    });
  }, 60_000);
  afterAll(async () => {
    await world.close();
    mock.close();
    folder.remove();
  });

  test('shows results as they come, the last ones too, and scores that no judge could give', async () => {
    const { projectId, bearer } = world.app.seed;
    const ask = asker(world.app);
    const post = async (path: string, json: object): Promise<{ id: string }> => {
      const { status, body } = await ask('POST', `/v1/${path}?projectId=${projectId}`, bearer, json);
      expect([path, status >= 300]).toEqual([path, false]);
      return body as { id: string };
    };
    await post('prompts', {
      ...{ name: 'answer', template: 'Answer: {{question}}', labels: ['production'] },
      config: { model: 'gpt-4o-mini' },
    });
    const { id: datasetId } = await post('datasets', { name: 'Sums' });
    const items = ['one', 'two'].map((id) => ({ id, input: { question: id }, expectedOutput: 'yes' }));
    await post(`datasets/${datasetId}/items`, { items });
    const held = Promise.withResolvers<void>();
    // No answer of the judge has the form that is asked for.
    mock.answer = ({ model }) => ({
      text: ['yes'],
      ...(model === 'gpt-4o-mini' && { before: held.promise }),
    });
    const judge = {
      ...{ kind: 'judge', scoreName: 'tone', output: { type: 'numeric', min: 0, max: 5 } },
      config: { model: 'openai/gpt-4o', messages: [{ role: 'user', content: 'Friendly? {{output}}' }] },
    };
    const { id } = await post('experiments', {
      ...{ name: 'Try', datasetId, evaluators: [judge] },
      task: { kind: 'prompt', prompt: 'answer' },
    });
    const { page, go, complaints, close } = await world.open();
    await go(`/projects/${projectId}/experiments/${id}`);
    const results = page.getByRole('region', { name: 'Results', exact: true });
    await results.getByText('{"question":"two"}').waitFor();
    expect(await results.getByRole('cell', { name: 'failed', exact: true }).count()).toBe(0);
    held.resolve();
    await page.getByText('Completed: 2 of 2 runs').waitFor();
    await page.getByText('2 scores could not be given').waitFor();
    await results.getByRole('cell', { name: 'yes Trace' }).nth(1).waitFor();
    expect(await results.getByRole('cell', { name: 'failed', exact: true }).count()).toBe(2);
    expect(await results.getByText('failed').first().getAttribute('title')).toContain('it is not JSON');
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  test('what starting would do, and the buttons, stay in sight in a low window', async () => {
    const { projectId, bearer } = world.app.seed;
    const ask = asker(world.app);
    const post = async (path: string, json: object): Promise<{ id: string }> =>
      (await ask('POST', `/v1/${path}?projectId=${projectId}`, bearer, json)).body as { id: string };
    await post('prompts', {
      ...{ name: 'greet', template: 'Greet {{name}} in {{language}}', labels: ['production'] },
      config: { model: 'gpt-4o-mini' },
    });
    const { id } = await post('datasets', { name: 'People' });
    const inputs = [{ name: 'Ada', language: 'French' }, { name: 'Bob' }];
    const items = inputs.map((input, i) => ({ id: `p${i}`, input }));
    await post(`datasets/${id}/items`, { items });
    const { page, go, complaints, close } = await world.open();
    await page.setViewportSize({ width: 1280, height: 600 });
    await go(`/projects/${projectId}/experiments`);
    await page.getByRole('button', { name: 'New experiment' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Greetings');
    await dialog.getByLabel('Dataset').selectOption(id);
    await dialog.getByLabel('Prompt').selectOption('greet');
    await dialog.getByRole('button', { name: 'Estimate cost' }).click();
    const start = dialog.getByRole('button', { name: 'Start experiment' });
    await start.waitFor();
    const warning = dialog.getByText(/1 of the first 2 items will fail: .*language/);
    for (const shown of [warning, start]) {
      const { y, height } = (await shown.boundingBox()) ?? { y: 0, height: 1_000 };
      expect(y + height).toBeLessThan(600);
    }
    // Where the button is, it can be clicked.
    await start.click({ trial: true });
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  test('a project without what an experiment needs says what to make first', async () => {
    const { id } = await world.app.app.act(createProject, { organization: 'Acme', name: 'New' });
    const { page, go, complaints, close } = await world.open();
    await go(`/projects/${id}/experiments`);
    await page.getByRole('button', { name: 'New experiment' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: 'Create a prompt' }).waitFor();
    expect(await dialog.getByText('has set up no models').count()).toBe(0);
    expect(await dialog.getByRole('button', { name: 'Estimate cost' }).count()).toBe(0);
    await dialog.getByRole('link', { name: 'Create a dataset' }).click();
    await page.waitForURL((url) => url.pathname.endsWith('/datasets'));
    expect(complaints).toEqual([]);
    await close();
  });
});
