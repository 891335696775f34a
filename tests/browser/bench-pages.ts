// How the two longest pages take it: a trace of 30,000 spans and a table of 10,000 events, in a browser.
// `bun run bench:pages [spans]`. Times depend on the machine and on what else it does: the plain page, which is
// scrolled in the same way, says what the browser could do at best. CPU times are of the page's main thread.
import type { CDPSession, Page } from 'playwright-core';
import { openWorld } from './world.ts';

const SPANS = Number(process.argv[2] ?? 30_000);
const EVENTS = 10_000;
const SCROLL_MS = 4_000;
const BATCH = 100;

const world = await openWorld();
const { projectId, apiKey, bearer } = world.app.seed;
const traceId = Array.from({ length: 16 }, (_, i) => (i * 7 + 16).toString(16)).join('');
const started = Date.now() - 3_600_000;

/** A tree of agents, chains, tools and calls, eleven to a level, with what a span usually has beside it. */
const span = (place: number): object => {
  const isCall = place % 4 === 3;
  const kind = isCall ? 'llm' : (['agent', 'chain', 'tool'] as const)[place % 3];
  const parent = Math.floor((place - 1) / 11);
  return {
    trace_id: traceId,
    span_id: place.toString(16).padStart(16, '0'),
    ...(place === 0 ? {} : { parent_span_id: parent.toString(16).padStart(16, '0') }),
    timestamp: new Date(started + place * 2).toISOString(),
    kind,
    name: isCall ? 'chat gpt-4o' : `${kind} step ${place % 50}`,
    latency_ms: place === 0 ? SPANS * 2 + 900 : Math.max(40, (SPANS - place) / 3),
    status: place % 211 === 7 ? 'error' : 'success',
    ...(isCall ? { provider: 'openai', model: 'gpt-4o', input_tokens: 900 + place, output_tokens: 60 } : {}),
    user_id: `user-${place % 9}`,
    session_id: 'a long afternoon',
    metadata: { step: place, question: 'Which of the last orders were late, and by how much?' },
  };
};

async function send(events: readonly object[]): Promise<void> {
  for (let from = 0; from < events.length; from += BATCH) {
    const response = await world.app.fetch('/v1/ingest', {
      apiKey,
      events: events.slice(from, from + BATCH),
    });
    if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  }
}

/** Wall milliseconds of the best of three, and bytes. */
async function timeOf(path: string): Promise<{ ms: number; bytes: number }> {
  const runs: number[] = [];
  let bytes = 0;
  for (let i = 0; i < 3; i++) {
    const begun = performance.now();
    const reply = await world.app.fetch(`${path}?projectId=${projectId}`, { bearer });
    bytes = (await reply.bytes()).length;
    if (reply.status !== 200) return { ms: Number.NaN, bytes: 0 };
    runs.push(performance.now() - begun);
  }
  return { ms: Math.round(Math.min(...runs)), bytes };
}

/** Seconds of work of the page's main thread so far. */
async function cpuOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

type Scrolled = { frames: number; ms: number; slow: number };

/** Scrolls down by `step` pixels a frame and counts the frames that came, and those that took over 25 ms. */
const scroll = (page: Page, selector: string, step: number): Promise<Scrolled> =>
  page.evaluate(`new Promise((resolve) => {
    const place = document.querySelector(${JSON.stringify(selector)});
    const begun = performance.now();
    let [frames, slow, last] = [0, 0, begun];
    const tick = (now) => {
      if (now - last > 25) slow++;
      last = now; frames++;
      place.scrollTop += ${step};
      if (now - begun > ${SCROLL_MS} || place.scrollTop + place.clientHeight >= place.scrollHeight - 1)
        resolve({ frames, slow, ms: now - begun });
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  })`);

async function measureScroll(page: Page, session: CDPSession, selector: string, step: number) {
  const before = await cpuOf(session);
  const { frames, ms, slow } = await scroll(page, selector, step);
  const cpu = (await cpuOf(session)) - before;
  return {
    'frames/s': Math.round((frames / ms) * 1_000),
    'frames over 25 ms': slow,
    'CPU ms a frame': Number(((cpu * 1_000) / frames).toFixed(2)),
  };
}

const plain = `<div id="place" style="height:700px;overflow:auto"><div style="height:840000px;background:
  repeating-linear-gradient(#fff 0 28px,#eee 28px 56px)"></div></div>`;

try {
  await send(Array.from({ length: SPANS }, (_, place) => span(place)));
  const call = { provider: 'openai', model: 'gpt-4o', input_tokens: 900, output_tokens: 60, latency_ms: 812 };
  await send(
    Array.from({ length: EVENTS }, (_, i) => ({ ...call, timestamp: new Date(started - i).toISOString() })),
  );

  const { page, go, close } = await world.open({ width: 1440 });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const replies: Record<string, object> = {};
  for (const path of [`/v1/traces/${traceId}`, `/v1/traces/${traceId}/waterfall`])
    replies[path.replace(traceId, ':id')] = await timeOf(path);
  console.table(replies);

  // The files are in the browser's cache, as they are for whoever comes from another page.
  await go(`/projects/${projectId}/traces`);
  const opened: Record<string, object> = {};
  for (const visit of ['first', 'second', 'third']) {
    const url = `${world.url}/projects/${projectId}/traces/${traceId}`;
    await page.goto(url, { waitUntil: 'commit' });
    const before = await cpuOf(session);
    await page.locator('[class*=spanRow_]').first().waitFor();
    const usable = await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))))',
    );
    opened[visit] = {
      'usable after ms': Math.round(Number(usable)),
      'CPU ms': Math.round(((await cpuOf(session)) - before) * 1_000),
    };
  }
  console.table(opened);

  const scrolled: Record<string, object> = {};
  scrolled[`trace of ${SPANS} spans, 90 px a frame`] = await measureScroll(
    page,
    session,
    '[class*=waterfall_]',
    90,
  );
  await page.evaluate(`document.querySelector('[class*=waterfall_]').scrollTop = 0`);
  scrolled[`trace of ${SPANS} spans, 900 px a frame`] = await measureScroll(
    page,
    session,
    '[class*=waterfall_]',
    900,
  );

  await go(`/projects/${projectId}/events?range=24h`);
  for (let pixels = 0; pixels < EVENTS * 32; pixels = Number(pixels)) {
    pixels = (await page.evaluate(
      `(() => { const p = document.querySelector('[class*=vtable_]'); p.scrollTop = p.scrollHeight; return p.scrollHeight })()`,
    )) as number;
    await Bun.sleep(30);
  }
  await page.evaluate(`document.querySelector('[class*=vtable_]').scrollTop = 0`);
  await Bun.sleep(500);
  scrolled[`${EVENTS} events, 90 px a frame`] = await measureScroll(page, session, '[class*=vtable_]', 90);
  // Without the policy of the dashboard, which forbids styles in attributes.
  await page.goto('about:blank');
  await page.setContent(plain);
  scrolled['a plain page, 90 px a frame'] = await measureScroll(page, session, '#place', 90);
  console.table(scrolled);
  await close();
} finally {
  await world.close();
}
