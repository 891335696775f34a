import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { Dataset } from '../../src/core/datasets/contract.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

describe.skipIf(!hasBrowser)('datasets', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  }, 60_000);
  afterAll(() => world.close());

  test('a file is imported by columns that are chosen after a dry run', async () => {
    const { bearer, projectId } = world.app.seed;
    const made = await world.app.fetch(`/v1/datasets?projectId=${projectId}`, {
      bearer,
      json: { name: 'reviews' },
    });
    const { id } = (await made.json()) as Dataset;
    const { page, go, complaints, close } = await world.open();
    await go(`/projects/${projectId}/datasets/${id}`);
    await page.getByRole('button', { name: 'Import' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import items' });
    const text = 'review,label,part\nI love it,positive,test\nI hate it,negative,train\n';
    await page.locator('input[type=file]').setInputFiles({
      name: 'reviews.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    });
    await dialog.getByText('2 rows, 2 of them are items.').waitFor();
    await dialog.getByLabel('label').selectOption('Expected output');
    await dialog.getByLabel('part').selectOption('Split');
    await dialog.locator('pre', { hasText: '"input": "I love it"' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    // Without an input, the columns that are left are the input.
    await dialog.getByLabel('review').selectOption('Not used');
    await dialog.locator('pre', { hasText: '"review": "I love it"' }).waitFor();
    expect(await dialog.getByLabel('review').inputValue()).toBe('input');
    await dialog.getByRole('button', { name: 'Import 2 items' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('I hate it').waitFor();
    await page.getByText('negative').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
