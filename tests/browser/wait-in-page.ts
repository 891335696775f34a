import type { Page } from 'playwright-core';

/** Milliseconds between two looks. */
const EVERY_MS = 20;

/**
 * Waits for an expression to hold in a frame; false when it does not in `withinMs`. A frame is asked for once it holds:
 * to draw them all meanwhile takes a tenth of the browser's CPU. The page's policy forbids Playwright's own
 * `waitForFunction`, which evaluates text in the page.
 */
export async function waitInPage(page: Page, expression: string, withinMs = 20_000): Promise<boolean> {
  const holds = await page.evaluate(`new Promise((resolve) => {
    const end = performance.now() + ${withinMs};
    const holds = () => Boolean(${expression});
    const wait = () => {
      if (performance.now() > end) resolve(false);
      else setTimeout(look, ${EVERY_MS});
    };
    const look = () => {
      if (holds()) requestAnimationFrame(() => (holds() ? resolve(true) : wait()));
      else wait();
    };
    look();
  })`);
  return holds === true;
}
