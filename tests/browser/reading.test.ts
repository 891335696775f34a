import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { findingsInBothSchemes, TWO_FRAMES } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { waitInPage } from './wait-in-page.ts';
import { openWorld, type Window, type World } from './world.ts';

const SESSION = 'order 4711';
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC';
const LONG = `${'x'.repeat(999)}\n`;

const system = { role: 'system', content: 'You are the assistant of Acme. '.repeat(20) };
const asks = { role: 'user', content: 'Where is my order **4711**? <img src=x onerror=alert(1)>' };
const calls = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get_order', arguments: '{"id":4711}' } }],
};
const result = {
  role: 'tool',
  tool_call_id: 'c1',
  content: '{"status":"in transit","customer":"[REDACTED]"}',
};
const answers = {
  role: 'assistant',
  reasoning_content: 'It is on its way.',
  content:
    'In transit, see [here](https://example.com/t), [not here](javascript:alert(1)) and ![it](https://example.com/i.png)\n\n```ts\nlet a = 1;\n```',
};
const shows = {
  role: 'user',
  content: [
    { type: 'text', text: 'Is it this one?' },
    { type: 'image_url', image_url: { url: PNG } },
    { type: 'image_url', image_url: { url: 'https://example.com/remote.png' } },
  ],
};

describe.skipIf(!hasBrowser)('reading calls', () => {
  let world: World;
  let window: Window;
  const ids = [1, 2, 3, 4, 5].map((place) => `0196aaaa-0000-7000-8000-00000000000${place}`);
  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  const dialog = () => window.page.getByRole('dialog');
  const article = (role: string) => dialog().getByRole('article', { name: role });
  const open = (place: number): Promise<void> => window.go(at(`events?event=${ids[place - 1]}`));
  const store = async (storePrompts: boolean): Promise<void> => {
    const { projectId, bearer } = world.app.seed;
    const json = { sampleRate: 1, redactKeys: [], storePrompts };
    const path = `/v1/projects/${projectId}/sdk-config`;
    expect((await world.app.fetch(path, { bearer, method: 'PUT', json })).status).toBe(200);
  };

  beforeAll(async () => {
    world = await openWorld();
    await store(true);
    const start = Date.now() - 600_000;
    const event = (place: number, more: object) => ({
      event_id: ids[place - 1],
      kind: 'llm',
      provider: 'openai',
      model: 'gpt-4o',
      operation: 'chat',
      latency_ms: 1_200,
      input_tokens: 1_000,
      output_tokens: 100,
      timestamp: new Date(start + place * 10_000).toISOString(),
      trace_id: `turn ${place}`,
      user_id: 'nora',
      session_id: SESSION,
      ...more,
    });
    const events = [
      event(1, { input: [system, asks], output: calls }),
      event(2, { input: [system, asks, calls, result], output: answers }),
      event(3, { input: [system, asks, calls, result, answers, shows], output: 'Yes.' }),
      event(4, { session_id: 'long', input: 'Print it', output: LONG.repeat(900) }),
      event(5, { session_id: 'none' }),
    ];
    const response = await world.app.fetch('/v1/ingest', { apiKey: world.app.seed.apiKey, events });
    expect(await response.json()).toMatchObject({ accepted: events.length });
    window = await world.open({ width: 1440 });
  }, 60_000);
  afterAll(async () => {
    await window?.close();
    await world.close();
  });

  test('a call is read as messages: instructions folded, the new result of a tool, nothing of it runs or loads', async () => {
    await open(2);
    await article('system').getByRole('button').waitFor();
    expect(await article('system').getByText('You are the assistant').count()).toBe(1);
    // What the call before said is folded.
    await dialog()
      .getByRole('button', { name: /2 earlier messages said in the previous call/ })
      .click();
    await article('user').getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await article('user').locator('strong').allTextContents()).toEqual(['4711']);
    const [call] = await article('assistant').all();
    expect(await call?.textContent()).toContain('get_order');
    // The result is new, its call is not: it is in sight by itself, and only once.
    expect(await article('tool').textContent()).toMatch(/^toolnew.*get_order.*"status": "in transit"/s);
    expect(await article('tool').locator('mark').textContent()).toBe('redacted');
    expect(await call?.textContent()).not.toContain('in transit');
    const answer = article('assistant').last();
    expect(await answer.locator('pre').textContent()).toBe('let a = 1;');
    const links = await answer.getByRole('link').all();
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
      'https://example.com/t',
      'https://example.com/i.png',
    ]);
    expect(await links[0]?.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    await answer.getByRole('button', { name: /Reasoning/ }).click();
    await answer.locator('p', { hasText: 'It is on its way.' }).waitFor();
  });

  test('only what is new is marked; images that the message holds are shown, others are links', async () => {
    await open(3);
    await article('user').getByText('new', { exact: true }).waitFor();
    expect(await article('user').count()).toBe(1);
    expect(await article('tool').count()).toBe(0);
    expect(await article('user').locator('img').getAttribute('src')).toBe(PNG);
    expect(await article('user').getByRole('link').getAttribute('href')).toBe(
      'https://example.com/remote.png',
    );
    // Said before like its call, it is below that.
    await dialog()
      .getByRole('button', { name: /earlier messages said/ })
      .click();
    await article('assistant').getByText('"status": "in transit"').waitFor();
    await dialog().getByRole('button', { name: 'Previous call of the session' }).click();
    await article('assistant').getByText('In transit').waitFor();
    expect(new URL(window.page.url()).searchParams.get('event')).toBe(ids[1] ?? '');
  });

  test('a call is copied as a command, its JSON is one click away', async () => {
    await open(1);
    await window.page.evaluate(
      "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.copied = text; } } })",
    );
    await dialog().getByRole('button', { name: 'Copy', exact: true }).first().click();
    await window.page.getByRole('menuitem', { name: 'Request as cURL' }).click();
    await waitInPage(window.page, 'globalThis.copied !== undefined', 2_000);
    const copied = String(await window.page.evaluate('globalThis.copied'));
    expect(copied).toStartWith('curl "https://api.openai.com/v1/chat/completions"');
    expect(copied).toContain('$OPENAI_API_KEY');
    await dialog().getByText('JSON', { exact: true }).click();
    await dialog().getByText('"trace_id": "turn 1"').waitFor();
  });

  test('a text of almost a megabyte is folded, and opens', async () => {
    await open(4);
    await dialog().getByRole('button', { name: 'Show all (900,000 characters)' }).click();
    await dialog().getByRole('button', { name: 'Show less' }).waitFor();
    expect((await article('assistant').textContent())?.length).toBeGreaterThan(900_000);
  });

  test('a session is a conversation: each turn what it adds, who, its cost and the cost so far', async () => {
    await window.go(at(`sessions/${encodeURIComponent(SESSION)}`));
    const turns = window.page.locator('[class*=turnBox_]');
    await turns.nth(2).waitFor();
    const said = await turns.nth(2).getByRole('article').allTextContents();
    expect(said).toHaveLength(2);
    expect(said[0]).toContain('Is it this one?');
    expect(said[1]).toBe('assistantYes.');
    expect(await turns.nth(1).getByRole('article').count()).toBe(2);
    expect(await turns.nth(2).textContent()).toContain('nora');
    expect(await turns.nth(2).textContent()).toContain('Σ $0.0105');
    await turns.nth(2).locator('.vopen').click();
    await article('user').getByText('Is it this one?').waitFor();
  });

  test('what is not stored says why, and how to change that', async () => {
    await open(5);
    await dialog().getByText('Messages', { exact: true }).click();
    await dialog().getByText('This event came without prompt and completion').waitFor();
    await store(false);
    await open(5);
    await dialog().getByText('Messages', { exact: true }).click();
    await dialog().getByText('This project does not store prompts and completions').waitFor();
    await dialog().getByRole('link', { name: "Open the project's settings" }).click();
    await window.page.waitForURL('**/project');
    await store(true);
  });

  test('a trace is bookmarked and commented on; the comment has an address; a viewer only reads', async () => {
    const { page } = window;
    await window.go(at('traces/turn%202'));
    await page.getByRole('button', { name: 'Bookmark', exact: true }).first().click();
    await page.getByRole('button', { name: 'Bookmarked' }).waitFor();
    await page.getByRole('button', { name: 'Comments' }).click();
    await dialog().getByLabel('Write a comment').fill('<b>Too slow</b>, see the carrier');
    await dialog().getByRole('button', { name: 'Comment', exact: true }).click();
    await dialog().getByText('<b>Too slow</b>, see the carrier').waitFor();
    const query = `projectId=${world.app.seed.projectId}&traceId=turn%202`;
    const reply = await world.app.fetch(`/v1/comments?${query}`, { bearer: world.app.seed.bearer });
    const { comments } = (await reply.json()) as { comments: { id: string }[] };
    const viewer = await world.open({ bearer: (await world.app.addUser('viewer')).bearer });
    await viewer.go(at(`traces/turn%202?comment=${comments[0]?.id}`));
    await viewer.page.getByRole('dialog').getByText('<b>Too slow</b>').waitFor();
    await viewer.page.getByRole('dialog').getByText('Members can write comments.').waitFor();
    expect(await viewer.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await viewer.go(at('bookmarks'));
    await viewer.page.getByLabel('Bookmarks').getByRole('link', { name: 'chat' }).click();
    await viewer.page.waitForURL('**/traces/turn%202**');
    expect(viewer.complaints).toEqual([]);
    await viewer.close();
  }, 60_000);

  test('nothing serious by axe in light and dark, nothing wider than 360 px', async () => {
    const own = await world.open();
    for (const page of [
      `events?event=${ids[1]}`,
      `sessions/${encodeURIComponent(SESSION)}`,
      'traces/turn%202?span=none',
    ]) {
      await own.page.setViewportSize({ width: 1280, height: 800 });
      await own.go(at(page));
      await own.page.getByRole('article').first().waitFor();
      expect([page, await findingsInBothSchemes(own.page, { without: ['aside'] })]).toEqual([page, []]);
      await own.page.setViewportSize({ width: 360, height: 800 });
      await own.page.evaluate(TWO_FRAMES);
      const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect([page, await own.page.evaluate(over)]).toEqual([page, 0]);
    }
    expect(own.complaints).toEqual([]);
    await own.close();
  }, 60_000);

  test('nothing was complained about on the way', () => {
    expect(window.complaints).toEqual([]);
  });
});
