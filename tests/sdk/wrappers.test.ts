import { describe, expect, test } from 'bun:test';
import { GoogleGenAI } from '@google/genai';
import { Mistral } from '@mistralai/mistralai';
import { CohereClientV2 } from 'cohere-ai';
import Groq from 'groq-sdk';
import { type Client, wrapCohere, wrapGoogleGenAI, wrapGroq, wrapMistral } from '../../src/sdk/index.ts';
import { share } from './share.ts';

const shared = share();

const messages = [{ role: 'user' as const, content: 'Capital of France?' }];
const chat = {
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Paris' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
};

/** A wrapper, and how to make its client, freeze what it changes, and make a call of 12 input tokens. */
type Case<C extends object> = {
  readonly name: string;
  readonly wrap: (sdk: C, client: Client) => C;
  readonly make: () => C;
  readonly freeze: (sdk: C) => void;
  readonly reply: unknown;
  readonly call: (sdk: C) => Promise<unknown>;
};

const checks = <C extends object>({ name, wrap, make, freeze, reply, call }: Case<C>): void => {
  describe(name, () => {
    const tokens = async (sdk: C) => {
      shared.provider.will({ json: reply });
      expect(await call(sdk)).toBeObject();
      return (await shared.world.newEvents()).map(({ input_tokens }) => input_tokens);
    };

    test('what cannot be watched is returned as it is, and is reported', async () => {
      const frozen = make();
      freeze(frozen);
      const refusing = new Proxy({} as C, {
        get: () => {
          throw new Error('no');
        },
      });
      for (const client of [undefined, null, {}, 'a text', frozen, refusing]) {
        shared.world.problems.length = 0;
        expect(wrap(client as C, shared.world.client) as unknown).toBe(client);
        expect(shared.world.problems.map(({ kind }) => kind)).toEqual(['configuration']);
      }
      expect(await tokens(frozen)).toEqual([]);
    });

    test('the client keeps its identity, is wrapped only once, and works behind a proxy', async () => {
      const sdk = make();
      expect(wrap(wrap(sdk, shared.world.client), shared.world.client)).toBe(sdk);
      expect(await tokens(sdk)).toEqual([12]);
      expect(await tokens(wrap(new Proxy(make(), {}), shared.world.client))).toEqual([12]);
      expect(shared.world.problems).toEqual([]);
    });
  });
};

checks<GoogleGenAI>({
  name: 'wrapGoogleGenAI',
  wrap: wrapGoogleGenAI,
  make: () => new GoogleGenAI({ apiKey: 'x', httpOptions: { baseUrl: shared.provider.url } }),
  freeze: ({ models }) => void Object.freeze(models),
  reply: {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Paris' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 3, totalTokenCount: 15 },
  },
  call: (ai) => ai.models.generateContent({ model: 'gemini-2.5-flash', contents: 'Capital of France?' }),
});

checks<Mistral>({
  name: 'wrapMistral',
  wrap: wrapMistral,
  make: () => new Mistral({ apiKey: 'x', serverURL: shared.provider.url }),
  freeze: (mistral) => {
    for (const one of [mistral.chat, mistral.agents, mistral.fim, mistral.embeddings, mistral.ocr])
      Object.freeze(one);
    Object.freeze(mistral.audio.transcriptions);
  },
  reply: chat,
  call: (mistral) => mistral.chat.complete({ model: 'mistral-small-latest', messages }),
});

checks<CohereClientV2>({
  name: 'wrapCohere',
  wrap: wrapCohere,
  make: () => new CohereClientV2({ token: 'x', environment: shared.provider.url }),
  freeze: Object.freeze,
  reply: {
    id: 'r1',
    finish_reason: 'COMPLETE',
    message: { role: 'assistant', content: [{ type: 'text', text: 'Paris' }] },
    usage: { billed_units: { input_tokens: 12, output_tokens: 3 } },
  },
  call: (cohere) => cohere.chat({ model: 'command-a-03-2025', messages }),
});

checks<Groq>({
  name: 'wrapGroq',
  wrap: wrapGroq,
  make: () => new Groq({ apiKey: 'x', baseURL: shared.provider.url, maxRetries: 0 }),
  freeze: Object.freeze,
  reply: chat,
  call: (groq) => groq.chat.completions.create({ model: 'openai/gpt-oss-20b', messages }),
});
