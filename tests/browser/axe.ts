import { source as axe } from 'axe-core';
import type { Page } from 'playwright-core';

type Finding = { readonly id: string; readonly impact: string; readonly nodes: { readonly html: string }[] };

/** What axe calls serious or worse, with its places. In the dark only contrast can differ. */
export async function seriousFindings(page: Page, scheme: 'light' | 'dark' = 'light'): Promise<string[]> {
  // By the debugger, which the page's policy does not bind.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  // What fades in has little contrast until it has done so.
  await page.evaluate(
    `Promise.allSettled(document.getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && effect?.getTiming().iterations !== Infinity)
      .map(({ finished }) => finished))`,
  );
  const options = {
    resultTypes: ['violations'],
    preload: false,
    ...(scheme === 'dark' ? { runOnly: ['color-contrast'] } : {}),
  };
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as Finding[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}
