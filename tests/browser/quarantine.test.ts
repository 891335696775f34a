import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

describe.skipIf(!hasBrowser)('the quarantine', () => {
  let world: World;
  let window: Window;
  beforeAll(async () => {
    world = await openWorld();
    window = await world.open();
    const call = { provider: 'openai', model: 'gpt-4o' };
    const lines = [
      ...Array.from({ length: 120 }, (_, i) => ({ ...call, input_tokens: i, status: 'fine' })),
      { provider: 'openai' },
      { provider: 'mistral' },
    ];
    for (let from = 0; from < lines.length; from += 100)
      await world.app.fetch('/v1/ingest', {
        apiKey: world.app.seed.apiKey,
        events: lines.slice(from, from + 100),
      });
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  test('counts by reason, corrects all events of one, dismisses those of another', async () => {
    const { page } = window;
    await window.go(`/projects/${world.app.seed.projectId}/quarantine`);
    await page.getByRole('navigation', { name: 'Pages' }).getByText('122').waitFor();
    const rows = page.getByRole('region', { name: 'Reasons' }).locator('tbody tr');
    expect(await rows.count()).toBe(2);
    expect(await seriousFindings(page)).toEqual([]);
    await rows.first().getByRole('button', { name: 'Correct all' }).click();
    const dialog = page.getByRole('dialog', { name: 'Correct 120 events' });
    await dialog.getByLabel('Set fields').fill('{"status": "finer"}');
    await dialog.getByRole('button', { name: 'Correct and record' }).click();
    await dialog.getByText('0 recorded; 120 are still refused').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByLabel('Set fields').fill('{"status": "success"}');
    await dialog.getByRole('button', { name: 'Correct and record' }).click();
    await page.getByText('120 events are recorded').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await rows.nth(1).waitFor({ state: 'detached' });
    await page.getByRole('navigation', { name: 'Pages' }).getByText('2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Dismiss', exact: true }).first().click();
    await rows.first().getByText('1', { exact: true }).waitFor();
    await rows.first().getByRole('button', { name: 'Dismiss all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Dismiss', exact: true }).click();
    await page.getByText('No event was refused in the last seven days').waitFor();
    expect(window.complaints).toEqual([]);
  }, 60_000);

  test('Enter pressed twice makes one key, and a new key does not hide the one before', async () => {
    const { page } = window;
    await window.go(`/projects/${world.app.seed.projectId}/keys`);
    for (const name of ['one', 'two']) {
      const box = page.getByLabel('Name of the key');
      await box.fill(name);
      await page.evaluate(
        `for (const _ of [1, 2]) document.querySelector('[name=name]').form.requestSubmit()`,
      );
      await page.getByText(`Key ${name}`).waitFor();
    }
    expect(await page.getByText('Copy it now').count()).toBe(2);
    const reply = await world.app.fetch(`/v1/projects/${world.app.seed.projectId}/keys`, {
      bearer: world.app.seed.bearer,
    });
    const { keys } = (await reply.json()) as { keys: { name: string }[] };
    expect(keys.filter(({ name }) => ['one', 'two'].includes(name))).toHaveLength(2);
  }, 60_000);
});
