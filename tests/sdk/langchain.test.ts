import { expect, test } from 'bun:test';
import type { Document } from '@langchain/core/documents';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { BaseRetriever } from '@langchain/core/retrievers';
import { RunnableLambda } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import { FakeLLM } from '@langchain/core/utils/testing';
import { AzureChatOpenAI, ChatOpenAI, OpenAI } from '@langchain/openai';
import type { StoredEvent } from '../../src/core/events/contract.ts';
import { langChainHandler } from '../../src/sdk/index.ts';
import { share } from './share.ts';
import { collect } from './world.ts';

const USAGE = {
  prompt_tokens: 1200,
  completion_tokens: 48,
  total_tokens: 1248,
  prompt_tokens_details: { cached_tokens: 1024 },
  completion_tokens_details: { reasoning_tokens: 16 },
};
const TOKENS = { input_tokens: 1200, output_tokens: 48, cached_input_tokens: 1024, reasoning_tokens: 16 };
/** gpt-4o, USD per million: fresh input 2.50, cached input 1.25, output 10. */
const COST = (176 * 2.5 + 1024 * 1.25 + 48 * 10) / 1e6;
const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o-2024-08-06',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Paris' }, finish_reason: 'stop' }],
  usage: USAGE,
};
const chunk = (delta: object, finish_reason: string | null = null) => ({
  ...completion,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
  usage: null,
});
const STREAM = {
  events: [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Pa' }),
    chunk({ content: 'ris' }),
    chunk({}, 'stop'),
    { ...completion, object: 'chat.completion.chunk', choices: [], usage: USAGE },
    '[DONE]',
  ],
};

const shared = share();
const handler = () => langChainHandler(shared.world.client);
const model = (more: object = {}) =>
  new ChatOpenAI({
    model: 'gpt-4o',
    apiKey: 'x',
    maxRetries: 0,
    configuration: { baseURL: shared.provider.url },
    ...more,
  });
const prompt = ChatPromptTemplate.fromMessages([
  ['system', 'Be brief.'],
  ['human', 'Capital of {country}?'],
]);
const chain = () => prompt.pipe(model()).pipe(new StringOutputParser());

/** Each event as `kind name`, with that of its parent. */
const tree = (events: readonly StoredEvent[]): string[] => {
  const label = (event: StoredEvent | undefined) => event && `${event.kind} ${event.name}`;
  return events
    .map((event) => {
      const parent = label(events.find(({ span_id }) => span_id === event.parent_span_id));
      return `${label(event)}${parent === undefined ? '' : ` < ${parent}`}`;
    })
    .sort();
};

test('on Azure the model is that of the reply, not the default of LangChain', async () => {
  shared.provider.will({ json: completion });
  const azure = new AzureChatOpenAI({
    azureOpenAIApiKey: 'x',
    azureOpenAIApiDeploymentName: 'my-deployment',
    azureOpenAIApiVersion: '2024-10-21',
    azureOpenAIBasePath: shared.provider.url,
    maxRetries: 0,
  });
  await azure.invoke('Hello', { callbacks: [handler()] });
  expect(await shared.world.newEvents()).toMatchObject([
    { provider: 'azure', model: 'gpt-4o-2024-08-06', ...TOKENS, cost_status: 'priced' },
  ]);
});

test('a stream that its reader left is a cancelled call, though LangChain does not tell', async () => {
  shared.provider.will({ ...STREAM, stall: true });
  const callbacks = [langChainHandler(shared.world.client, { abandonedAfterMs: 20 })];
  const recorded = (): number => {
    const { pending, accepted } = shared.world.client.stats();
    return pending + accepted;
  };
  const before = recorded();
  for await (const _ of await model().stream('Hello', { callbacks })) break;
  while (recorded() === before) await new Promise((next) => setTimeout(next, 1));
  expect(await shared.world.newEvents()).toMatchObject([
    { status: 'cancelled', error_code: 'stream_abandoned', stream: true, cost_status: 'unpriced' },
  ]);
});

test('a call of a model is recorded with its usage, its cost and the run’s user, session and tags', async () => {
  shared.provider.will({ json: completion });
  const config = {
    callbacks: [handler()],
    metadata: { user_id: 'u-17', thread_id: 's-3', feature: 'chat' },
    tags: ['beta'],
  };
  expect((await model().invoke('Capital of France?', config)).content).toBe('Paris');
  const [event, ...others] = await shared.world.newEvents();
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    kind: 'llm',
    name: 'ChatOpenAI',
    operation: 'chat',
    provider: 'openai',
    model: 'gpt-4o',
    status: 'success',
    finish_reason: 'stop',
    stream: false,
    ttft_ms: null,
    user_id: 'u-17',
    session_id: 's-3',
    metadata: { feature: 'chat', tags: ['beta'], response_model: 'gpt-4o-2024-08-06' },
    ...TOKENS,
  });
  expect(event?.cost_usd).toBeCloseTo(COST, 9);
  expect(event?.prompt_hash).toMatch(/^[0-9a-f]{64}$/);
});

test('chains are spans of one trace, below the current span', async () => {
  shared.provider.will({ json: completion });
  const answer = await shared.world.client.trace('request', () =>
    chain().invoke({ country: 'France' }, { callbacks: [handler()], runName: 'capital' }),
  );
  expect(answer).toBe('Paris');
  const events = await shared.world.newEvents();
  expect(tree(events)).toEqual([
    'chain ChatPromptTemplate < chain capital',
    'chain StrOutputParser < chain capital',
    'chain capital < span request',
    'llm ChatOpenAI < chain capital',
    'span request',
  ]);
  expect(new Set(events.map(({ trace_id }) => trace_id)).size).toBe(1);
  expect(events.filter(({ cost_usd }) => cost_usd !== null)).toHaveLength(1);
});

test('a stream is recorded with its time to the first token', async () => {
  shared.provider.will(STREAM);
  const callbacks = [handler()];
  expect((await collect(await chain().stream({ country: 'France' }, { callbacks }))).join('')).toBe('Paris');
  const events = await shared.world.newEvents();
  const call = events.find(({ kind }) => kind === 'llm');
  expect(call).toMatchObject({ stream: true, status: 'success', finish_reason: 'stop', ...TOKENS });
  expect(call?.ttft_ms).toBeGreaterThan(0);
  expect(call?.cost_usd).toBeCloseTo(COST, 9);
});

test('a model that is no chat model has its provider and its price', async () => {
  const llm = new OpenAI({
    model: 'gpt-3.5-turbo-instruct',
    apiKey: 'x',
    configuration: { baseURL: shared.provider.url },
  });
  const choices = [{ index: 0, text: 'Paris', finish_reason: 'stop' }];
  const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
  shared.provider.will({ json: { id: 'c', object: 'text_completion', created: 1, choices, usage } });
  await llm.invoke('Capital of France?', { callbacks: [handler()] });
  await new FakeLLM({ response: 'Paris' }).invoke('Capital of France?', { callbacks: [handler()] });
  const [event, unnamed] = await shared.world.newEvents();
  expect(event).toMatchObject({
    provider: 'openai',
    model: 'gpt-3.5-turbo-instruct',
    operation: 'text_completion',
    finish_reason: 'stop',
    input_tokens: 12,
    output_tokens: 3,
  });
  expect(event?.cost_usd).toBeCloseTo((12 * 1.5 + 3 * 2) / 1e6, 9);
  expect(unnamed).toMatchObject({ provider: 'fake', model: 'FakeLLM', cost_status: 'unpriced' });
});

test('tools and retrievers are spans; a failed one says why', async () => {
  class Facts extends BaseRetriever {
    override lc_namespace = ['tests'];
    override async _getRelevantDocuments(query: string): Promise<Document[]> {
      return [{ pageContent: query, metadata: {} }];
    }
  }
  const weather = tool(
    (city: string) => {
      if (city === 'Atlantis') throw new RangeError('no such city');
      return `sunny in ${city}`;
    },
    { name: 'weather', description: 'Weather of a city.' },
  );
  const work = RunnableLambda.from(async (city: string, config) => {
    await new Facts().invoke(city, config);
    return weather.invoke(city, config);
  }).withConfig({ runName: 'work' });
  const callbacks = [handler()];
  await work.invoke('Paris', { callbacks });
  const events = await shared.world.newEvents();
  expect(tree(events)).toEqual(['chain work', 'retrieval Facts < chain work', 'tool weather < chain work']);
  expect(events.find(({ kind }) => kind === 'retrieval')?.metadata).toMatchObject({ documents: 1 });
  expect(events.find(({ kind }) => kind === 'tool')).toMatchObject({ tool: 'weather', status: 'success' });
  await expect(work.invoke('Atlantis', { callbacks })).rejects.toThrow('no such city');
  const failed = await shared.world.newEvents();
  expect(failed.map(({ kind, status, error_code }) => `${kind} ${status} ${error_code}`).sort()).toEqual([
    'chain error RangeError',
    'retrieval success null',
    'tool error RangeError',
  ]);
});

test('failed calls are classified, and the application gets its own error', async () => {
  const body = { error: { message: 'slow down', type: 'requests', code: 'rate_limit_exceeded' } };
  shared.provider.will({ json: body, status: 429 }, { hang: true });
  const callbacks = [handler()];
  await expect(model().invoke('Hi', { callbacks })).rejects.toThrow('slow down');
  await model()
    .invoke('Hi', { callbacks, signal: AbortSignal.timeout(20) })
    .catch(() => {});
  const events = await shared.world.newEvents();
  expect(events.map(({ status }) => status)).toEqual(['rate_limited', 'cancelled']);
});

test('a handler given twice records once, and unreadable runs do not reach the application', async () => {
  shared.provider.will({ json: completion });
  const both = handler();
  await model({ callbacks: [both] }).invoke('Hi', { callbacks: [both] });
  expect(await shared.world.newEvents()).toHaveLength(1);
  expect(() => both.handleLLMEnd(null, 'unknown')).not.toThrow();
  expect(() => both.handleToolStart(null, null, 'run')).not.toThrow();
});

test('runs that never end do not fill the memory', async () => {
  const open = handler();
  for (let i = 0; i < 10_005; i++) open.handleChainStart({}, {}, `run-${i}`);
  // The ends of spans are noted once their promises are settled.
  await Bun.sleep(0);
  const events = await shared.world.newEvents();
  expect(events.map(({ status, error_code }) => `${status} ${error_code}`)).toEqual(
    Array.from({ length: 5 }, () => 'cancelled unread'),
  );
});
