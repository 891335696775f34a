import type { CallEnd, CallPart } from '../../src/core/models/contract.ts';
import type { TestApp } from './app.ts';
import type { ModelProviderMock } from './model-provider.ts';

/** Settings with the mock in each dialect. The key must appear nowhere but in the header of a request. */
export const MOCK_KEY = 'sk-mock-SENTINEL-9c1d';

/** `MODELS_FILE` for the mock, as text. */
export const modelsFile = ({ url }: ModelProviderMock, more: readonly object[] = []): string =>
  JSON.stringify([
    {
      name: 'openai',
      provider: 'openai',
      baseUrl: url.openai,
      apiKeyEnv: 'MOCK_MODEL_KEY',
      models: ['gpt-4o', 'gpt-4o-mini'],
    },
    {
      name: 'anthropic',
      provider: 'anthropic',
      baseUrl: url.anthropic,
      apiKeyEnv: 'MOCK_MODEL_KEY',
      models: ['claude-sonnet-4-5'],
    },
    {
      name: 'google',
      provider: 'google',
      baseUrl: url.google,
      apiKeyEnv: 'MOCK_MODEL_KEY',
      models: ['gemini-2.5-flash'],
    },
    { name: 'local', provider: 'openai-compatible', baseUrl: url.openai, models: ['llama-own', 'gpt-4o'] },
    ...more,
  ]);

export type RunBody = Readonly<Record<string, unknown>>;
export const HELLO: RunBody = { model: 'openai/gpt-4o', messages: [{ role: 'user', content: 'Hello' }] };

/** Sends a run; what it streams is read with `partsOf`. */
export const run = (
  world: TestApp,
  body: RunBody = HELLO,
  init: RequestInit & { bearer?: string } = {},
): Promise<Response> =>
  world.fetch(`/v1/prompts/run?projectId=${world.seed.projectId}`, {
    bearer: world.seed.bearer,
    ...init,
    json: body,
  });

/** The parts of a streamed reply. Throws for a refusal. */
export async function partsOf(response: Response): Promise<CallPart[]> {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return text
    .split('\n\n')
    .filter((part) => part.startsWith('data: '))
    .map((part) => JSON.parse(part.slice('data: '.length)) as CallPart);
}

export function endOf(parts: readonly CallPart[]): CallEnd {
  const last = parts.at(-1);
  if (last?.type !== 'finished') throw new Error(`the run did not finish: ${JSON.stringify(last)}`);
  return last.call;
}

export const textOf = (parts: readonly CallPart[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
