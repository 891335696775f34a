import type Anthropic from '@anthropic-ai/sdk';
import { ANTHROPIC, drain, failing, prompt, TIMEOUT_MS } from './setting.ts';

/** Five calls: a success, a stream, a tool, 429, a timeout. */
export async function runAnthropic(Client: typeof Anthropic): Promise<void> {
  const { messages } = new Client(ANTHROPIC);
  const request = (text: string) => ({
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    messages: [{ role: 'user' as const, content: prompt(text) }],
  });
  const tools = [
    { name: 'get_weather', description: prompt('tool'), input_schema: { type: 'object' as const } },
  ];
  await messages.create(request('hello'));
  await drain(await messages.create({ ...request('hello'), stream: true }));
  await messages.create({ ...request('#tool'), tools });
  await failing(() => messages.create(request('#429')));
  await failing(() => messages.create(request('#hang'), { timeout: TIMEOUT_MS }));
}
