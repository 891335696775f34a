/**
 * Measures the overhead of the client: `bun run bench:sdk`. Each call runs many times with and without it,
 * alternating and without a network; the medians are compared. The calls use the real packages.
 */

import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { generateText, wrapLanguageModel } from 'ai';
import OpenAI from 'openai';
import { aiMiddleware, createClient, wrapAnthropic, wrapOpenAI } from '../../src/sdk/index.ts';

const ROUNDS = Number(process.argv[2] ?? 1_000);
const CHUNKS = 50;

const usage = { prompt_tokens: 1200, completion_tokens: 48, total_tokens: 1248 };
const completion = JSON.stringify({
  id: 'c',
  model: 'gpt-4o',
  created: 1,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Paris' }, finish_reason: 'stop' }],
  usage,
});
const message = JSON.stringify({
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-4-5',
  content: [{ type: 'text', text: 'Paris' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 12, output_tokens: 3 },
});
const piece = {
  id: 'c',
  model: 'gpt-4o',
  choices: [{ index: 0, delta: { content: 'word ' }, finish_reason: null }],
};
const stream = `${`data: ${JSON.stringify(piece)}\n\n`.repeat(CHUNKS)}data: ${JSON.stringify({ ...piece, choices: [], usage })}\n\ndata: [DONE]\n\n`;

const json = { headers: { 'content-type': 'application/json' } };
const sse = { headers: { 'content-type': 'text/event-stream' } };
const says = (body: string, init: ResponseInit) => async () => new Response(body, init);

/** A server that accepts everything, because only the caller's side is measured. */
const prompt = JSON.stringify({
  version: 1,
  type: 'text',
  template: 'Sort {{ticket}} of {{team}}. '.repeat(50),
});
const receipt = JSON.stringify({ accepted: 100, duplicates: 0, rejected: [], configVersion: 1 });
const ledger = createClient({
  apiKey: 'slk_bench',
  env: {},
  remoteConfig: false,
  fetch: async (url) =>
    url.includes('/prompts/') ? new Response(prompt) : new Response(receipt, { status: 202 }),
});

const messages = [{ role: 'user' as const, content: 'What is the capital of France? '.repeat(100) }];
const ask = { model: 'gpt-4o', messages };
const chat = (client: OpenAI) => () => client.chat.completions.create(ask);
const streamed = (client: OpenAI) => async () => {
  for await (const _ of await client.chat.completions.create({ ...ask, stream: true }));
};
const claude = (client: Anthropic) => () =>
  client.messages.create({ model: 'claude-haiku-4-5', max_tokens: 10, messages });
const openai = (body: string, init: ResponseInit) => new OpenAI({ apiKey: 'x', fetch: says(body, init) });
const anthropic = () => new Anthropic({ apiKey: 'x', fetch: says(message, json) });
const model = () =>
  createOpenAI({ apiKey: 'x', fetch: Object.assign(says(completion, json), { preconnect() {} }) }).chat(
    'gpt-4o',
  );
const generate = (used: Parameters<typeof generateText>[0]['model']) => () =>
  generateText({ model: used, prompt: 'Hi' });

type Work = () => unknown;
const nothing: Work = async () => {};
const event = {
  provider: 'openai',
  model: 'gpt-4o',
  input_tokens: 12,
  tags: { feature: 'chat' },
  metadata: { a: { b: 1 } },
};

const cases: readonly (readonly [name: string, without: Work, withIt: Work])[] = [
  ['openai chat', chat(openai(completion, json)), chat(wrapOpenAI(openai(completion, json), ledger))],
  [
    `openai stream of ${CHUNKS}`,
    streamed(openai(stream, sse)),
    streamed(wrapOpenAI(openai(stream, sse), ledger)),
  ],
  ['anthropic message', claude(anthropic()), claude(wrapAnthropic(anthropic(), ledger))],
  [
    'AI SDK generateText',
    generate(model()),
    generate(wrapLanguageModel({ model: model(), middleware: aiMiddleware(ledger) })),
  ],
  ['span', nothing, () => ledger.span('step', async () => {})],
  ['cached prompt', nothing, () => ledger.prompt('support/triage', { stickyKey: 'u1' })],
  ['track', nothing, async () => void ledger.track(event)],
];

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const time = async (work: Work): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) * 1_000;
};

console.log(`${'call'.padEnd(24)} without      with  difference   (medians of ${ROUNDS}, µs)`);
for (const [name, without, withIt] of cases) {
  const times: [number[], number[]] = [[], []];
  for (let round = -ROUNDS / 5; round < ROUNDS; round++) {
    // Alternates, and swaps the order each round, so that noise of the machine affects both.
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const side of order) {
      const spent = await time(side === 0 ? without : withIt);
      if (round >= 0) times[side === 0 ? 0 : 1].push(spent);
    }
    // Deferred work runs between calls, as it does while a real call waits for the network.
    await new Promise((done) => setTimeout(done, 1));
  }
  const [a, b] = [median(times[0]), median(times[1])];
  console.log(`${name.padEnd(24)} ${[a, b, b - a].map((one) => one.toFixed(1).padStart(7)).join('   ')}`);
}
await ledger.shutdown();
