// The README's pictures, made from the demo's data: `bun run screenshots`. They lie beside this script.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { EventPage, TracePage } from '../../src/core/events/contract.ts';
import { openWorld, type Window } from './world.ts';

const FOLDER = join(import.meta.dir, 'screenshots');
const [WIDTH, HEIGHT] = [1360, 850];
const DAYS = 60;

const world = await openWorld();
const { projectId, bearer } = world.app.seed;
const at = (path: string): string => `/projects/${projectId}/${path}`;

async function read<T>(path: string): Promise<T> {
  return (await (await world.app.fetch(path, { bearer })).json()) as T;
}

/** As WebP, a third of the size of a PNG; playwright itself has no such thing. */
async function picture(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await Bun.sleep(600);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: WIDTH,
    height: HEIGHT,
    deviceScaleFactor: 1.5,
    mobile: false,
  });
  await Bun.sleep(400);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  const bytes = Buffer.from(data, 'base64');
  await Bun.write(join(FOLDER, `${name}.webp`), bytes);
  console.info(`${name}.webp  ${Math.round(bytes.length / 1000)} kB`);
}

async function pictures(scheme: 'light' | 'dark', show: (window: Window) => Promise<void>): Promise<void> {
  const window = await world.open({ scheme, width: WIDTH });
  await window.page.setViewportSize({ width: WIDTH, height: HEIGHT });
  await show(window);
  if (window.complaints.length > 0) throw new Error(window.complaints.join('\n'));
  await window.close();
}

/** Of the newest traces the one with the most between its calls: agents, tools, retrievals. */
async function richestTrace(): Promise<string> {
  const { traces } = await read<TracePage>(`/v1/traces?projectId=${projectId}&limit=200`);
  const rest = ({ spans, llm_calls }: TracePage['traces'][number]): number => spans - llm_calls;
  const [first] = traces.toSorted((a, b) => rest(b) - rest(a) || b.llm_calls - a.llm_calls);
  return first?.trace_id ?? '';
}

try {
  mkdirSync(FOLDER, { recursive: true });
  await world.seedDays(DAYS);
  const traceId = await richestTrace();
  const { events } = await read<EventPage>(`/v1/events?projectId=${projectId}&limit=200`);
  const event = events.find(
    ({ cached_input_tokens, cost_usd }) => cached_input_tokens > 0 && cost_usd !== null,
  );

  await pictures('light', async ({ page, go }) => {
    await go(at('overview'));
    await page.locator('[class*=chart_] svg .recharts-bar-rectangle').first().waitFor();
    await picture(page, 'overview');
    await go(at('costs'));
    await page.locator('[class*=chart_] svg').first().waitFor();
    await picture(page, 'costs');
    await go(at(`traces/${traceId}`));
    await page.locator('[class*=traceSide_] [class*=detailsHead_]').waitFor();
    await picture(page, 'trace');
    await go(at(`events?event=${event?.event_id}&at=${event?.timestamp}`));
    await page.getByRole('button', { name: 'Explain cost' }).click();
    await page.getByText('How the cost was calculated').waitFor();
    await picture(page, 'event');
  });
  await pictures('dark', async ({ page, go }) => {
    await go(at('overview?metric=cost'));
    await page.locator('[class*=chart_] svg .recharts-bar-rectangle').first().waitFor();
    await picture(page, 'overview-dark');
  });
} finally {
  await world.close();
}
