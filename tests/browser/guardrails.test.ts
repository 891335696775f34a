import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

describe.skipIf(!hasBrowser)('the page of guardrails', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  }, 60_000);
  afterAll(() => world.close());

  test('has a form with a field for each setting of a check', async () => {
    const { page, complaints, go, close } = await world.open();
    await go(`/projects/${world.app.seed.projectId}/guardrails`);
    await page.getByRole('button', { name: 'New guardrail' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('wording');
    await form.getByLabel('Check 1', { exact: true }).selectOption('keywords');
    await form.getByLabel('Words and phrases').fill('falcon\nproject x');
    await form.getByRole('button', { name: 'Add a check' }).click();
    await form.getByLabel('Check 2', { exact: true }).selectOption('length');
    await form.getByLabel('Most characters').fill('');
    await form.getByLabel('Most words').fill('many');
    expect(await seriousFindings(page)).toEqual([]);
    await form.getByRole('button', { name: 'Create guardrail' }).click();
    await page.getByText('Most words of check 2 must be a number').first().waitFor();
    await form.getByLabel('Most words').fill('500');
    await form.getByLabel('Most words').press('Enter');
    await form.waitFor({ state: 'detached' });
    await page.getByText('keywords (redact), length (block)').waitFor();

    const { projectId, bearer } = world.app.seed;
    const reply = await world.app.fetch(`/v1/guardrails?projectId=${projectId}`, { bearer });
    expect(await reply.json()).toMatchObject({
      guardrails: [
        {
          checks: [
            { kind: 'keywords', config: { words: ['falcon', 'project x'] }, action: 'redact' },
            { kind: 'length', config: { maxWords: 500 }, action: 'block' },
          ],
        },
      ],
    });
    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await form.getByLabel('Words and phrases').inputValue()).toBe('falcon\nproject x');
    expect(await form.getByLabel('Most words').inputValue()).toBe('500');
    expect(complaints).toEqual([]);
    await close();
  });
});
