import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

describe.skipIf(!hasBrowser)('the API reference', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  }, 60_000);
  afterAll(() => world.close());

  // Without optimizing compilers Swagger UI would take ten seconds of CPU for each operation, were references not resolved here.
  test('an operation opens soon, and shows its fields and the names of its schemas', async () => {
    const { page, complaints, close } = await world.open();
    const debuggerOf = await page.context().newCDPSession(page);
    await debuggerOf.send('Performance.enable');
    await page.goto(`${world.url}/docs#/ingest/post_v1_ingest`);
    const open = page.locator('.opblock.is-open');
    await open.locator('.opblock-section-request-body .tabitem', { hasText: 'Schema' }).click();
    const fields = open.locator('.opblock-section-request-body .json-schema-2020-12').first();
    await fields.waitFor();
    const { metrics } = await debuggerOf.send('Performance.getMetrics');
    expect(metrics.find(({ name }) => name === 'ThreadTime')?.value).toBeLessThan(5);
    const text = await fields.textContent();
    for (const part of ['EventInput', 'event_id', 'cached_input_tokens']) expect(text).toContain(part);
    expect(await open.textContent()).toContain('Retry-After');
    // The library warns of every address with an underscore.
    expect(complaints.filter((text) => !text.includes('deep link whitespace'))).toEqual([]);
    await close();
  });
});
