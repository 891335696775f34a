import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { PromptDetail } from '../../src/core/prompts/contract.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

describe.skipIf(!hasBrowser)('prompts', () => {
  let world: World;
  let window: Window;
  beforeAll(async () => {
    world = await openWorld();
    window = await world.open();
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  test('Escape and a click beside a form keep what was entered, and close a form without changes', async () => {
    const { page, go } = window;
    await go(`/projects/${world.app.seed.projectId}/prompts`);
    const form = page.getByRole('dialog', { name: 'New prompt' });
    const open = () => page.getByRole('button', { name: 'New prompt' }).click();
    await open();
    await form.waitFor();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await open();
    await form.getByLabel('Text').fill('A long text');
    await page.keyboard.press('Escape');
    await form.getByText('What you entered is kept.').waitFor();
    await page.mouse.click(5, 5);
    expect(await form.getByLabel('Text').inputValue()).toBe('A long text');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'detached' });
    await open();
    expect(await form.getByLabel('Text').inputValue()).toBe('');
    await form.getByLabel('Text').fill('Another text');
    await form.getByRole('button', { name: 'Close' }).click();
    await form.waitFor({ state: 'detached' });
  });

  test('one writes a prompt, changes it, compares the versions and publishes one', async () => {
    const { page, go, complaints } = window;
    const { projectId, bearer } = world.app.seed;
    await go(`/projects/${projectId}/prompts`);
    await page.getByRole('button', { name: 'New prompt' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('support/triage');
    await page.getByLabel('Text').fill('Sort {{ticket}} of {{team');
    await page.getByText('{{ in line 1 is never closed').waitFor();
    await page.getByLabel('Text').fill('Sort {{ticket}} of {{team}}');
    await page.getByText('Variables: ticket, team').click();
    await page.getByRole('textbox', { name: 'team' }).fill('Billing');
    await page.getByText('Sort {{ticket}} of Billing').waitFor();
    await page.getByRole('button', { name: 'Create prompt' }).click();
    await page.getByRole('heading', { level: 1, name: 'support/triage' }).waitFor();

    await page.getByRole('button', { name: 'Edit as new version' }).click();
    await page.getByLabel('Text').fill('Sort the ticket {{ticket}}');
    await page.getByLabel('What changed').fill('Without the team');
    await page.getByRole('button', { name: 'Save as new version' }).click();
    await page.getByRole('cell', { name: /Without the team/ }).waitFor();
    await page.getByLabel('Compare with').selectOption('1');
    await page.getByRole('cell', { name: '+ Sort the ticket {{ticket}}' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Move label' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move label' }).click();
    await page.getByText('production of support/triage is now 2').waitFor();
    const reply = await world.app.fetch(`/v1/prompts/support%2Ftriage?projectId=${projectId}`, { bearer });
    const { labels } = (await reply.json()) as PromptDetail;
    expect(labels).toMatchObject([{ label: 'production', versions: [{ version: 2, weight: 1 }] }]);

    await go(`/projects/${projectId}/prompts`);
    const field = page.getByLabel('Protected labels, with commas between');
    await field.fill('production, staging');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The protected labels are saved').waitFor();
    expect(await seriousFindings(page, { rules: 'contrast' })).toEqual([]);
    await page.getByRole('link', { name: 'support/triage' }).or(page.getByText('support/')).first().click();
    await go(`/projects/${projectId}/prompts/support%2Ftriage`);
    await page.getByText('· protected').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('production');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove label' }).click();
    await page.getByText('production is removed from support/triage').waitFor();
    await page.getByText('No label yet').waitFor();

    // The palette finds it in the library.
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Find a page').fill('sort the tick');
    await page.getByRole('button', { name: /support\/triage/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/prompts/support%2Ftriage*');
    expect(complaints).toEqual([]);
  }, 60_000);
});
