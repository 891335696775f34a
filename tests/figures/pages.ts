import { acquireBrowser, releaseBrowser } from '../browser/browser.ts';
import type { RunningLedger } from './running-ledger.ts';

export type Pages = {
  /** The figures at the top of a page by their labels, when it has loaded. */
  tiles(path: string): Promise<Record<string, string>>;
  /** The cells of a table's first row that contains a text. */
  row(path: string, text: string): Promise<string[]>;
  close(): Promise<void>;
};

/** The dashboard of a running ledger in a browser, signed in. */
export async function openPages({ server, signIn, ledger }: RunningLedger): Promise<Pages> {
  const browser = await acquireBrowser();
  const context = await browser.newContext();
  await context.addCookies([
    {
      name: 'spanledger_session',
      value: encodeURIComponent(await signIn()),
      url: server.url,
      httpOnly: true,
      sameSite: 'Lax',
    },
  ]);
  const page = await context.newPage();
  const go = async (path: string): Promise<void> => {
    await page.goto(`${server.url}/projects/${ledger.projectId}/${path}`);
    await page.locator('h1').first().waitFor();
    await page.locator('[aria-label=Loading], .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  };
  return {
    tiles: async (path) => {
      await go(path);
      await page.locator('[class*=kpi_]').first().waitFor();
      const tiles = await page.locator('[class*=kpi_]').all();
      const texts = tiles.map(async (tile) => [
        (await tile.locator('[class*=kpiLabel_]').textContent()) ?? '',
        (await tile.locator('[class*=kpiValue_]').textContent()) ?? '',
      ]);
      return Object.fromEntries(await Promise.all(texts));
    },
    row: async (path, text) => {
      await go(path);
      const row = page.locator('tbody tr', { hasText: text }).first();
      await row.waitFor();
      return row.locator('td, th').allTextContents();
    },
    close: async () => {
      await context.close();
      await releaseBrowser();
    },
  };
}
