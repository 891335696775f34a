import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { moneyText, numberText } from '../../src/lib/figures.ts';
import { encode } from '../features/otel/otlp.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

const RECORDING = join(import.meta.dir, '../features/otel/recordings/sentry.ndjson');
const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;
const chat = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4o',
};

describe.skipIf(!hasBrowser)('the OTLP inspector', () => {
  let world: World;
  /** The owner's, open at the inspector. */
  let window: Window;
  beforeAll(async () => {
    world = await openWorld();
    window = await opened();
  });
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  const opened = async (options: Parameters<World['open']>[0] = {}): Promise<Window> => {
    const own = await world.open(options);
    await own.go(at('inspector'));
    return own;
  };
  const give = ({ page }: Window, name: string, buffer: Uint8Array): Promise<void> =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(buffer) });
  const paste = async ({ page }: Window, text: string): Promise<void> => {
    await page.getByLabel('Request body').fill(text);
    await page.getByRole('button', { name: 'Inspect' }).click();
  };
  const tile = ({ page }: Window, label: string) =>
    page.locator('[class*=kpi_]', { hasText: label }).locator('[class*=kpiValue_]').textContent();
  const stored = async (): Promise<unknown> => {
    const query = `projectId=${world.app.seed.projectId}&kind=all`;
    return (await (
      await world.app.fetch(`/v1/events?${query}`, { bearer: world.app.seed.bearer })
    ).json()) as unknown;
  };

  test('shows of an example, by one click, what is a call and why, and stores nothing', async () => {
    const viewer = await world.app.addUser('viewer');
    for (const scheme of ['light', 'dark'] as const) {
      const own = await opened({ scheme, bearer: viewer.bearer });
      const { page } = own;
      await page.getByText('Nothing is stored or counted').waitFor();
      await page.getByRole('button', { name: 'Try an example' }).click();
      const spans = page.getByLabel('Spans', { exact: true });
      await spans.waitFor();
      expect(await tile(own, 'Spans')).toBe('5');
      expect(await tile(own, 'Calls')).toBe('2');
      expect(await tile(own, 'Cost')).toBe('$0.0022');
      const told = await spans.textContent();
      for (const text of [
        'gen_ai.operation.name is "chat": a model call',
        'The span around it, "chat gpt-4o", reports the same call and is counted',
        '1,200 ← gen_ai.usage.prompt_tokens',
        'gen_ai.usage.prompt_tokens → gen_ai.usage.input_tokens',
        'gen_ai.input.messages (49 characters)',
        'acme.shard',
        'stream_options: { include_usage: true }',
      ])
        expect(told).toContain(text);
      await page.getByText('traceId must be 32 hexadecimal digits that are not all 0').waitFor();
      expect(await seriousFindings(page, { rules: scheme === 'dark' ? 'contrast' : 'all' })).toEqual([]);
      expect(own.complaints).toEqual([]);
      await own.close();
    }
    expect(await stored()).toMatchObject({ total: 0, events: [] });
  }, 60_000);

  test('takes a recording with one request per line and a protobuf file, gzip or plain, and agrees with the API', async () => {
    const lines = readFileSync(RECORDING);
    await give(window, 'spans.ndjson.gz', gzipSync(lines));
    await window.page.getByText('spans.ndjson.gz').waitFor();
    await window.page.getByLabel('Spans', { exact: true }).waitFor();
    const reply = (await (
      await world.app.fetch(`/v1/otel/inspect?projectId=${world.app.seed.projectId}`, {
        method: 'POST',
        body: lines,
        headers: { 'content-type': 'application/octet-stream' },
        bearer: world.app.seed.bearer,
      })
    ).json()) as { spans: number; counted: number; cost_usd: number };
    expect(await tile(window, 'Spans')).toBe(numberText(reply.spans));
    expect(await tile(window, 'Calls')).toBe(numberText(reply.counted));
    expect(await tile(window, 'Cost')).toBe(moneyText(reply.cost_usd));

    await give(window, 'spans.pb', encode('protobuf', { name: 'one call', attributes: chat }));
    await window.page.getByText('protobuf body').waitFor();
    await window.page.getByRole('button', { name: 'one call' }).waitFor();
    expect(window.complaints).toEqual([]);
  }, 60_000);

  test('hangs spans below their parents, and opens one by key', async () => {
    const { page } = window;
    // Children come before their parents, and two name each other.
    const specs = [
      { id: '3', parent: '2', name: 'leaf', attributes: {} },
      { id: '2', parent: '1', name: 'branch', attributes: {} },
      { id: '1', name: 'root', attributes: {} },
      { id: '8', parent: '9', name: 'egg', attributes: {} },
      { id: '9', parent: '8', name: 'hen', attributes: {} },
    ];
    await paste(window, new TextDecoder().decode(encode('json', ...specs)));
    const names = page.getByLabel('Spans', { exact: true }).locator('.span-toggle');
    await names.filter({ hasText: 'root' }).waitFor();
    expect(await names.allTextContents()).toEqual(['root', 'branch', 'leaf', 'egg', 'hen']);
    const indents = await page
      .locator('.table tbody td:first-child')
      .evaluateAll((cells) =>
        cells.map((cell) =>
          Number.parseInt((cell as unknown as { style: { paddingLeft: string } }).style.paddingLeft, 10),
        ),
      );
    expect(indents).toEqual([16, 34, 52, 16, 34]);
    await names.nth(1).focus();
    await page.keyboard.press('Enter');
    await page.getByText('No attribute makes it a call: a plain span').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('No attribute makes it a call').waitFor({ state: 'detached' });
  }, 60_000);

  const wrongBodies: [string, string, RegExp][] = [
    ['text', 'hello', /^The body is not JSON in UTF-8$/],
    ['a broken line', '{"resourceSpans":[]}\n{"resourceSpans":[', /^Line 2: The body is not JSON in UTF-8$/],
    ['metrics', '{"resourceMetrics":[]}', /^Only traces are accepted, this is metrics/],
    ['a list', '[]', /^The body must be a JSON object with resourceSpans$/],
    ['names of another style', '{"resource_spans":[]}', /lowerCamelCase: resourceSpans$/],
    ['no spans', '{"resourceSpans":[]}', /^The trace request contains no spans$/],
  ];
  for (const [what, text, message] of wrongBodies)
    test(`says what is wrong with ${what}`, async () => {
      await paste(window, text);
      const notice = window.page.locator('[class*=notice_] strong');
      await notice.filter({ hasText: message }).waitFor();
      expect(await notice.count()).toBe(1);
      window.complaints.splice(0);
    });

  test('says what is wrong with a file that is too large or damaged, and takes the next one', async () => {
    await give(window, 'large.json', new Uint8Array(5_000_000).fill(0x20));
    await window.page.getByText('The body has 4.8 MB; the limit here is 4 MB').waitFor();
    await give(window, 'bad.gz', gzipSync('{"resourceSpans":[]}').subarray(0, 12));
    await window.page.getByText(/gzip body is/).waitFor();
    await give(window, 'noise.pb', new Uint8Array([8, 1, 0, 255, 254, 3]));
    await window.page.getByText('The body is not an OTLP trace request').waitFor();
    await window.page.getByRole('button', { name: 'Try an example' }).click();
    await window.page.getByLabel('Spans', { exact: true }).waitFor();
    window.complaints.splice(0);
  }, 60_000);

  test('shows hostile text as text, and fits a narrow window', async () => {
    const narrow = await opened({ width: 360 });
    const attributes = { ...chat, [HOSTILE]: HOSTILE, 'user.id': HOSTILE, 'gen_ai.request.model': HOSTILE };
    await paste(narrow, new TextDecoder().decode(encode('json', { name: HOSTILE, attributes })));
    await narrow.page.getByLabel('Spans', { exact: true }).waitFor();
    expect(await narrow.page.locator('main img, main script, [onerror]').count()).toBe(0);
    const over = await narrow.page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(over).toBe(0);
    expect(narrow.complaints).toEqual([]);
    await narrow.close();
  }, 60_000);

  test('is reached from Send events, the quarantine and the palette', async () => {
    for (const page of ['start', 'quarantine']) {
      await window.go(at(page));
      await window.page.locator('main').getByRole('link', { name: 'OTLP inspector' }).click();
      await window.page.waitForURL('**/inspector');
    }
    await window.go(at('overview'));
    await window.page.keyboard.press('Control+k');
    await window.page.getByPlaceholder('Find a page').fill('inspector');
    await window.page.getByRole('button', { name: 'OTLP inspector' }).waitFor();
    await window.page.keyboard.press('Enter');
    await window.page.waitForURL('**/inspector');
    expect(window.complaints).toEqual([]);
  }, 60_000);
});
