import { afterAll, afterEach, beforeAll, describe, expect } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { createProject } from '../../src/core/projects/index.ts';
import { openFolder } from '../helpers/folder.ts';
import { MOCK_KEY, modelsFile } from '../helpers/model-calls.ts';
import { type ModelProviderMock, startModelProvider } from '../helpers/model-provider.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

describe.skipIf(!hasBrowser)('the playground', () => {
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
    const { projectId, bearer } = world.app.seed;
    await world.app.fetch(`/v1/projects/${projectId}/sdk-config`, {
      method: 'PUT',
      bearer,
      json: { storePrompts: true },
    });
  }, 60_000);
  afterAll(async () => {
    await world.close();
    mock.close();
    folder.remove();
  });
  afterEach(() => {
    mock.answer = () => ({});
  });
  const at = (search = ''): string => `/projects/${world.app.seed.projectId}/playground${search}`;

  test('runs two models side by side with variables, says what they cost, and leads to the event', async () => {
    const { page, go, complaints, close } = await world.open({});
    await go(at());
    await page.getByLabel('Text of message 1').fill('Answer in {{language}}.');
    await page.getByLabel('Text of message 2').fill('Hello');
    await page.getByLabel('language').fill('French');
    const png = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('89504e470d0a1a0a', 'hex') };
    await page.locator('input[type=file]').setInputFiles(png);
    await page.getByLabel('Remove image 1 of message 2').waitFor();
    await page.getByRole('button', { name: 'Add column' }).click();
    await page.getByLabel('Model', { exact: true }).nth(1).selectOption('anthropic/claude-sonnet-4-5');
    await page.getByLabel('Text of message 2').press('Control+Enter');
    await page.getByText('$0.00275').waitFor();
    await page.getByText('$0.00321').waitFor();
    expect(await page.getByLabel('Answer').allInnerTexts()).toEqual([
      'Hello from the mock',
      'Hello from the mock',
    ]);
    const sent = JSON.stringify(mock.requests.at(-1)?.body);
    expect(sent).toContain('Answer in French.');
    expect(sent).toContain(png.buffer.toString('base64'));
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Event and explanation of its cost' }).first().click();
    // The answer is stored, so that the call can be opened in the playground again.
    await page.getByRole('link', { name: 'Open in playground' }).click();
    await page.getByText('Answer in French.').waitFor();
    expect(await page.getByLabel('Model', { exact: true }).inputValue()).toMatch(
      /gpt-4o$|claude-sonnet-4-5$/,
    );
    expect(complaints).toEqual([]);
    await close();
  });

  test('keeps the draft of a tab over a reload and other pages, for its person and project only', async () => {
    const person = await world.app.addUser('member');
    const { page, go, complaints, close } = await world.open({ bearer: person.bearer });
    const text = page.getByLabel('Text of message 2');
    const field = page.getByLabel('city');
    await go(at());
    await text.fill('What is near {{city}}?');
    await field.fill('Bergen');
    await page.getByRole('button', { name: 'Add column' }).click();
    await page.getByText('This draft stays in this browser tab until you sign out.').waitFor();
    await page.reload();
    await field.waitFor();
    expect([await text.inputValue(), await field.inputValue()]).toEqual(['What is near {{city}}?', 'Bergen']);
    await page.getByRole('heading', { name: 'Column 2' }).waitFor();
    // What an address names is opened; what was changed of it stays, too.
    const { projectId, bearer } = world.app.seed;
    await world.app.fetch(`/v1/prompts?projectId=${projectId}`, {
      bearer,
      json: { name: 'kept', template: 'Greet {{name}}' },
    });
    await go(at('?prompt=kept&version=1'));
    await page.getByText('kept · version 1').waitFor();
    const first = page.getByLabel('Text of message 1');
    await first.fill('Greet {{name}} warmly');
    await page.reload();
    await page.getByLabel('name').waitFor();
    expect(await first.inputValue()).toBe('Greet {{name}} warmly');
    // Another project has none of it.
    const other = await world.app.app.act(createProject, { organization: 'Acme', name: 'Other' });
    await go(`/projects/${other.id}/playground`);
    await text.waitFor();
    expect(await text.inputValue()).toBe('');
    expect(await page.getByRole('button', { name: 'Start over' }).isDisabled()).toBe(true);
    await go(at());
    await page.getByLabel('name').waitFor();
    await page.getByRole('button', { name: 'Start over' }).click();
    await page.getByRole('button', { name: 'Discard this draft' }).click();
    await text.waitFor();
    expect([await first.inputValue(), await text.inputValue()]).toEqual(['', '']);
    await page.reload();
    await text.waitFor();
    expect(await text.inputValue()).toBe('');
    // Whoever signs out leaves nothing behind, and nobody else sees a draft.
    const stored = (): Promise<unknown> => page.evaluate('JSON.stringify(sessionStorage)');
    await text.fill('A secret');
    expect(await stored()).toContain('A secret');
    const key = `spanledger.tab playground ${projectId}`;
    await page.evaluate(
      `sessionStorage.setItem('${key}', sessionStorage.getItem('${key}').replace('usr_', 'x'))`,
    );
    await page.reload();
    await text.waitFor();
    expect(await text.inputValue()).toBe('');
    await text.fill('A secret');
    // What is asked while the person signs out is refused with 401.
    expect(complaints).toEqual([]);
    await page.getByText(person.email, { exact: true }).last().click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/sign-in/);
    expect(await stored()).not.toContain('A secret');
    await close();
  });

  test('a double click and a held shortcut pay one call, which is not stopped', async () => {
    const { page, go, complaints, close } = await world.open();
    const held = Promise.withResolvers<void>();
    mock.answer = () => ({ between: held.promise });
    const calls = mock.requests.length;
    await go(at());
    await page.getByLabel('Text of message 2').fill('Hello?');
    await page.getByRole('button', { name: 'Run', exact: true }).dblclick();
    await page.getByText('Hello', { exact: true }).waitFor();
    for (let presses = 0; presses < 3; presses++)
      await page.getByLabel('Text of message 2').press('Control+Enter');
    held.resolve();
    await page.getByRole('link', { name: 'Event and explanation of its cost' }).waitFor();
    expect(mock.requests.length - calls).toBe(1);
    expect(await page.getByText('Stopped.').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  test('stops a run, and saves the text as a version that it opens again', async () => {
    const { page, go, complaints, close } = await world.open({ width: 390, scheme: 'dark' });
    mock.answer = () => ({ between: new Promise(() => {}) });
    await go(at());
    await page.getByLabel('Text of message 2').fill('Sort {{ticket}}');
    await page.getByLabel('ticket').fill('late parcel');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Hello', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped. The call is recorded as cancelled').waitFor();
    await page.getByRole('button', { name: 'Save as version' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Prompt').fill('support/triage');
    await dialog.getByLabel('What changed').fill('first');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const second = {
      messages: [{ role: 'user', content: 'File {{ticket}} in {{folder}}' }],
      config: { temperature: 0.5, responseFormat: { schema: { type: 'object' } } },
    };
    const { projectId, bearer } = world.app.seed;
    await world.app.fetch(`/v1/prompts/support%2Ftriage/versions?projectId=${projectId}`, {
      bearer,
      json: second,
    });
    await go(at('?prompt=support/triage&version=1'));
    await page.getByText('support/triage · version 1').waitFor();
    expect(await page.getByLabel('Text of message 1').inputValue()).toBe('Sort {{ticket}}');
    mock.answer = () => ({ toolCall: { id: 'a', name: 'sort', args: { to: 'parcels' } } });
    await page.getByLabel('Tools (JSON)').fill('[{ "name": "sort", "parameters": { "type": "object" } }]');
    await page.getByLabel('ticket').fill('late parcel');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('"parcels"').waitFor();
    // The second version beside it, with its own settings and its variable among the others.
    mock.answer = () => ({});
    await page.getByRole('button', { name: 'Add column' }).click();
    await page.getByLabel('Text', { exact: true }).nth(1).selectOption('2');
    await page.getByLabel('folder').fill('Returns');
    expect(await page.getByLabel('Temperature').nth(1).inputValue()).toBe('0.5');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('The output does not match the schema: it is not JSON').waitFor();
    const sent = mock.requests.slice(-2).map(({ body }) => JSON.stringify(body.messages));
    expect(sent.sort()).toEqual([
      '[{"role":"user","content":"File late parcel in Returns"}]',
      '[{"role":"user","content":"Sort late parcel"}]',
    ]);
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    const { events } = (await (
      await world.app.fetch(`/v1/events?projectId=${world.app.seed.projectId}&environment=spanledger`, {
        bearer: world.app.seed.bearer,
      })
    ).json()) as { events: Record<string, unknown>[] };
    const versions = events.map(({ prompt_name: name, prompt_version: version }) => `${name} ${version}`);
    expect(versions).toContain('support/triage 1');
    expect(versions).toContain('support/triage 2');
    await close();
  });
});
