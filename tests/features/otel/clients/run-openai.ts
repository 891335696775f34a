import type OpenAI from 'openai';
import { drain, failing, OPENAI, prompt, TIMEOUT_MS } from './setting.ts';

const tools = [
  {
    type: 'function' as const,
    function: { name: 'get_weather', description: prompt('tool'), parameters: {} },
  },
];

/** Seven calls: a success, a stream, a tool, two choices, an embedding, 429, a timeout. */
export async function runOpenai(Client: typeof OpenAI): Promise<void> {
  const client = new Client(OPENAI);
  const request = (text: string) => ({
    model: 'gpt-4o',
    messages: [{ role: 'user' as const, content: prompt(text) }],
  });
  const { completions } = client.chat;
  await completions.create(request('hello'));
  await drain(
    await completions.create({ ...request('hello'), stream: true, stream_options: { include_usage: true } }),
  );
  await completions.create({ ...request('#tool'), tools });
  await completions.create({ ...request('hello'), n: 2 });
  await client.embeddings.create({ model: 'text-embedding-3-small', input: prompt('embed') });
  await failing(() => completions.create(request('#429')));
  await failing(() => completions.create(request('#hang'), { timeout: TIMEOUT_MS }));
}
