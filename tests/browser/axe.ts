import { source as axe } from 'axe-core';
import type { Page } from 'playwright-core';

type Finding = { readonly id: string; readonly impact: string; readonly nodes: { readonly html: string }[] };

type Look = {
  /** Between the schemes only contrast can differ. All rules unless told otherwise. */
  readonly rules?: 'all' | 'contrast';
  /** A selector of what is looked at: a dialog, not the page below it. */
  readonly within?: string;
  /** Selectors of what was looked at before, such as the list of pages. */
  readonly without?: readonly string[];
};

/** Rows after these look like them. */
const FURTHER_ROWS = ['tbody tr:nth-child(n+13)', '.vbody > :nth-child(n+13)'];

/** Rules whose findings are less than serious need not run: axe gives each finding the impact of its rule. */
const WITHOUT_LESSER = `Object.fromEntries(axe._audit.rules
  .filter(({ impact }) => impact === 'minor' || impact === 'moderate')
  .map(({ id }) => [id, { enabled: false }]))`;

/** What axe calls serious or worse, with its places. */
export async function seriousFindings(page: Page, look: Look = {}): Promise<string[]> {
  const { rules = 'all', within = 'html', without = [] } = look;
  // By the debugger, which the page's policy does not bind.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const context = { include: [within], exclude: [...FURTHER_ROWS, ...without] };
  const options = `{
    resultTypes: ['violations'],
    preload: false,
    ${rules === 'contrast' ? "runOnly: ['color-contrast']" : `rules: ${WITHOUT_LESSER}`},
  }`;
  const find = async (): Promise<string[]> => {
    await page.evaluate(ANIMATED);
    const violations = (await page.evaluate(
      `axe.run(${JSON.stringify(context)}, ${options}).then(({ violations }) => violations)`,
    )) as Finding[];
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  };
  // A notification may have begun to fade out meanwhile: what is wrong is wrong the second time too.
  return (await find()).length === 0 ? [] : find();
}

/** What fades in or out has little contrast until it has done so. */
const ANIMATED = `Promise.allSettled(document.getAnimations()
  .filter(({ playState, effect }) => playState === 'running' && effect?.getTiming().iterations !== Infinity)
  .map(({ finished }) => finished))`;

/** Two frames: the first lays out what a change asks for, observers run before the second. */
export const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
/** Colours pass over to those of the other scheme. */
const TRANSITIONS = `${TWO_FRAMES}.then(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished))).then(() => 0)`;

/** Findings by all rules in the scheme that the page has, and by that of contrast in the other one, in which it stays. */
export async function findingsInBothSchemes(page: Page, look: Omit<Look, 'rules'> = {}): Promise<string[]> {
  const findings = await seriousFindings(page, look);
  const isDark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches");
  const colorScheme = isDark ? 'light' : 'dark';
  await page.emulateMedia({ colorScheme });
  // The reference has no attribute of its own: it follows the system's scheme at once.
  if (!page.url().includes('/docs'))
    await page.locator(`[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  await page.evaluate(TRANSITIONS);
  return [...findings, ...(await seriousFindings(page, { ...look, rules: 'contrast' }))];
}
