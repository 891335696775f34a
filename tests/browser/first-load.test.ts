import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { compress } from '../../src/dashboard/build.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

/**
 * What a first visit may fetch, from the sign-in to the figures, in bytes as they are sent (brotli). The bar is
 * 300 kB and 40 kB; the rest is room for what is to come.
 */
const MAX_BYTES = { js: 287_000, css: 30_000 };

describe.skipIf(!hasBrowser)('the first visit', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    await world.seedDays(2);
  }, 60_000);
  afterAll(() => world.close());

  test('fetches no more than it may, from the sign-in to the overview with its chart', async () => {
    const { page, go, close } = await world.open({ bearer: null, cold: true });
    const files = new Map<string, Promise<Uint8Array>>();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (/\.(js|css)$/.test(pathname)) files.set(pathname, response.body());
    });
    await go('/');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: false }).first().fill('correct horse battery');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/overview');
    await page.locator('[class*=chart_] svg .recharts-bar-rectangle').first().waitFor();

    const bytes = { js: 0, css: 0 };
    for (const [name, body] of files)
      bytes[name.endsWith('.js') ? 'js' : 'css'] += compress(await body).length;
    console.info(`the first visit fetches ${bytes.js} bytes of scripts, ${bytes.css} of styles`);
    expect(files.size).toBeGreaterThan(5);
    expect(bytes.js).toBeLessThan(MAX_BYTES.js);
    expect(bytes.css).toBeLessThan(MAX_BYTES.css);
    await close();
  }, 60_000);
});
