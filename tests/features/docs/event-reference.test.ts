import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { EventPage } from '../../../src/core/events/contract.ts';
import type { Explanation } from '../../../src/features/costs/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

// What a reader of `/docs/events` can take from it: programs that run as they stand, and where each count of a reply goes.

let world: TestApp;
let server: ReturnType<typeof Bun.serve>;
let page: string;
beforeAll(async () => {
  world = await openTestApp({ now: Date.now() });
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => world.app.fetch(request, { address: '127.0.0.1' }),
  });
  page = await (await fetch(`${server.url.origin}/docs/events`)).text();
});
afterAll(async () => {
  await server.stop(true);
  await world.close();
});

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const codeIn = (language: string): string =>
  plain(new RegExp(`<code class="language-${language}">(.*?)</code>`, 's').exec(page)?.[1] ?? '');

/** The cells of the table that begins with a text, without its head. */
function tableOf(head: string): string[][] {
  const table = [...page.matchAll(/<table>.*?<\/table>/gs)]
    .map(([all]) => [...all.matchAll(/<tr>(.*?)<\/tr>/gs)])
    .find(([first]) => plain(first?.[1] ?? '').startsWith(head));
  return (table ?? [])
    .slice(1)
    .map(([, row = '']) =>
      [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => plain(cell).trim()),
    );
}

const read = async <T>(path: string): Promise<T> =>
  (await (await world.fetch(path, { bearer: world.seed.bearer })).json()) as T;

/** How the cost of the event sent last came about. */
async function newest(): Promise<Explanation> {
  // The next event is later.
  world.clock.advance(1_000);
  const project = `projectId=${world.seed.projectId}`;
  const { events } = await read<EventPage>(`/v1/events?${project}&limit=1`);
  return read(`/v1/events/${events[0]?.event_id}/cost?${project}`);
}

const PROGRAMS = [
  ['sh', ['sh', '-c']],
  ['python', ['python3', '-c']],
  ['ts', ['bun', '-e']],
] as const;

test.each(PROGRAMS)('the program in %s sends its call as it stands', async (language, command) => {
  if (Bun.which(command[0]) === null) return;
  const run = Bun.spawn([...command, codeIn(language)], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      SPANLEDGER_URL: server.url.origin,
      SPANLEDGER_API_KEY: world.seed.apiKey,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [said, failed] = await Promise.all([run.stdout.text(), run.stderr.text()]);
  expect([await run.exited, said.includes('warnings'), said]).toEqual([
    0,
    false,
    expect.stringContaining('accepted'),
  ]);
  if (language !== 'sh') expect(failed).toBe('');
  const { usage, adds_up, cost_nano, lines_nano } = await newest();
  const counts = { input_tokens: 1200, cached_input_tokens: 800, output_tokens: 350 };
  expect(usage).toMatchObject(language === 'sh' ? counts : { ...counts, reasoning_tokens: 200 });
  expect([adds_up, lines_nano]).toEqual([true, cost_nano]);
});

test('the example with cached and reasoning tokens costs what the page says', async () => {
  const [, line = ''] = /^(\{"provider":"openai".*\})$/m.exec(codeIn('ndjson')) ?? [];
  const sent = await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events: [JSON.parse(line)] });
  expect(await sent.json()).toMatchObject({ accepted: 1, rejected: [] });
  const { lines, cost_usd } = await newest();
  const rows = tableOf('bucket').map(([, ...figures]) =>
    figures.map((figure) => Number(figure.replace(',', ''))),
  );
  const total = rows.pop();
  expect(
    lines.map(({ tokens, usd_per_million, amount_usd }) => [tokens, usd_per_million, amount_usd]),
  ).toEqual(rows);
  expect([lines.reduce((sum, { tokens }) => sum + tokens, 0), 0, cost_usd]).toEqual(total ?? []);
});

/** A reply's counts under the names of the page, each another number. */
const USAGES: Record<string, readonly [provider: string, model: string, usage: object]> = {
  'OpenAI Chat Completions': [
    'openai',
    'o3',
    {
      prompt_tokens: 1200,
      completion_tokens: 350,
      total_tokens: 1550,
      prompt_tokens_details: { cached_tokens: 800 },
      completion_tokens_details: { reasoning_tokens: 200 },
    },
  ],
  'OpenAI Responses': [
    'openai',
    'o3',
    {
      input_tokens: 1201,
      output_tokens: 351,
      total_tokens: 1552,
      input_tokens_details: { cached_tokens: 801 },
      output_tokens_details: { reasoning_tokens: 201 },
    },
  ],
  'Anthropic Messages': [
    'anthropic',
    'claude-sonnet-4-5',
    {
      input_tokens: 3000,
      cache_read_input_tokens: 2048,
      cache_creation_input_tokens: 256,
      output_tokens: 77,
    },
  ],
  Gemini: [
    'google',
    'gemini-2.5-flash',
    {
      promptTokenCount: 1200,
      toolUsePromptTokenCount: 30,
      cachedContentTokenCount: 800,
      candidatesTokenCount: 150,
      thoughtsTokenCount: 90,
      totalTokenCount: 1470,
    },
  ],
  'Bedrock Converse': [
    'aws',
    'anthropic.claude-sonnet-4-5-20250929-v1:0',
    { inputTokens: 3000, cacheReadInputTokens: 2048, cacheWriteInputTokens: 256, outputTokens: 77 },
  ],
};
const FIELDS = [
  'input_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
] as const;

/** The value of a path such as `a.b` in an object. */
const at = (of: object, path: string): number =>
  Number(path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], of));

test('the fields filled as the table says count and cost the same as the usage object itself', async () => {
  const rows = tableOf('usage of');
  expect(rows.map(([name]) => name)).toEqual(Object.keys(USAGES));
  for (const [name = '', ...cells] of rows) {
    const [provider, model, usage] = USAGES[name] ?? ['', '', {}];
    const counts = cells.map((cell) =>
      cell === '–' ? 0 : cell.split(' + ').reduce((sum, path) => sum + at(usage, path), 0),
    );
    expect([name, counts.some(Number.isNaN)]).toEqual([name, false]);
    const fields = Object.fromEntries(FIELDS.map((field, place) => [field, counts[place]]));
    const explained: Explanation[] = [];
    for (const more of [fields, { usage }]) {
      const events = [{ provider, model, ...more }];
      expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
      explained.push(await newest());
    }
    const [byFields, byUsage] = explained.map(({ lines, cost_nano, usage: { raw: _, ...read } }) => ({
      lines,
      cost_nano,
      read,
    }));
    expect([name, byFields]).toEqual([name, byUsage]);
    expect(byUsage?.cost_nano).toBeGreaterThan(0);
  }
});
