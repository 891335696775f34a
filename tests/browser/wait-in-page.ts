import type { Page } from 'playwright-core';

/**
 * Waits for an expression to hold, frame by frame; false when it does not in `withinMs`. The page's policy
 * forbids Playwright's own `waitForFunction`, which evaluates text in the page.
 */
export async function waitInPage(page: Page, expression: string, withinMs = 20_000): Promise<boolean> {
  const holds = await page.evaluate(`new Promise((resolve) => {
    const end = performance.now() + ${withinMs};
    const look = () => {
      if (${expression}) resolve(true);
      else if (performance.now() > end) resolve(false);
      else requestAnimationFrame(look);
    };
    look();
  })`);
  return holds === true;
}
