import { describe, expect, test } from 'bun:test';
import { type SentCall, toCurl } from '../../../src/lib/messages/to-curl.ts';

const call = (more: Partial<SentCall>): SentCall => ({
  kind: 'llm',
  provider: 'openai',
  model: 'gpt-4o',
  operation: 'chat',
  stream: false,
  metadata: {},
  ...more,
});
const CHAT = [
  { role: 'system', content: 'Be brief' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Hi' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
    ],
  },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', function: { name: 'look', arguments: '{"a":1}' } }],
  },
  { role: 'tool', tool_call_id: 'c', content: 'rain' },
];

/** Runs the command in a shell with a `curl` that prints its arguments, each as a line of JSON. */
async function run(
  command: string,
): Promise<{ url: string; headers: string[]; body: Record<string, unknown> }> {
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${command}`;
  const keys = {
    OPENAI_API_KEY: 'key',
    ANTHROPIC_API_KEY: 'key',
    GEMINI_API_KEY: 'key',
    API_KEY: 'key',
    BASE_URL: 'http://base',
  };
  const shell = Bun.spawn(['sh', '-c', script], { stdout: 'pipe', stderr: 'pipe', env: keys });
  const [url = '', ...args] = (await new Response(shell.stdout).text()).split('\0').slice(0, -1);
  expect(await new Response(shell.stderr).text()).toBe('');
  const after = (flag: string): string[] => args.filter((_, place) => args[place - 1] === flag);
  return { url, headers: after('-H'), body: JSON.parse(after('-d')[0] ?? '') as Record<string, unknown> };
}

describe('a call as a command', () => {
  test('of OpenAI: messages, tool calls and results as its API takes them, the key from the environment', async () => {
    const metadata = { 'gen_ai.request.temperature': 0.2, 'gen_ai.request.max_tokens': 50 };
    const command = toCurl(call({ input: CHAT, metadata, stream: true }));
    expect(command).toContain('$OPENAI_API_KEY');
    const { url, headers, body } = await run(command);
    expect(url).toBe('https://api.openai.com/v1/chat/completions');
    expect(headers).toEqual(['content-type: application/json', 'authorization: Bearer key']);
    expect(body).toEqual({
      model: 'gpt-4o',
      max_tokens: 50,
      temperature: 0.2,
      stream: true,
      messages: [
        CHAT[0],
        CHAT[1],
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'rain' },
      ],
    });
  });

  test('of Anthropic', async () => {
    const { url, headers, body } = await run(
      toCurl(call({ provider: 'anthropic', model: 'claude-sonnet-4-5', input: CHAT })),
    );
    expect(url).toBe('https://api.anthropic.com/v1/messages');
    expect(headers).toContain('x-api-key: key');
    expect(body).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 1024,
      system: 'Be brief',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'look', input: { a: 1 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'rain' }] },
      ],
    });
  });

  test('of Gemini', async () => {
    const input = { system: ['Be brief'], contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };
    const { url, body } = await run(toCurl(call({ provider: 'google', model: 'gemini-2.5-flash', input })));
    expect(url).toBe(
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
    );
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief' }] },
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    });
  });

  test('of embeddings, of the Responses API as it was sent, and of a provider that is not known', async () => {
    const embed = await run(toCurl(call({ kind: 'embedding', operation: 'embeddings', input: ['a', 'b'] })));
    expect([embed.url, embed.body.input]).toEqual(['https://api.openai.com/v1/embeddings', ['a', 'b']]);
    const input = { instructions: 'Be brief', input: 'Hi' };
    const responses = await run(toCurl(call({ operation: 'responses', input })));
    expect([responses.url, responses.body]).toEqual([
      'https://api.openai.com/v1/responses',
      { model: 'gpt-4o', ...input },
    ]);
    const other = await run(toCurl(call({ provider: 'acme', input: 'Hi' })));
    expect([other.url, other.headers[1]]).toEqual([
      'http://base/chat/completions',
      'authorization: Bearer key',
    ]);
  });

  test('a text cannot leave its quotes', async () => {
    const text = `it's '$(touch /tmp/x)' \`id\` \\' "q" $HOME\n'; echo 'x`;
    const { body } = await run(toCurl(call({ input: text })));
    expect(body.messages).toEqual([{ role: 'user', content: text }]);
  });

  test('a provider may have any name', async () => {
    const { url } = await run(toCurl(call({ provider: 'constructor', input: 'Hi' })));
    expect(url).toBe('http://base/chat/completions');
  });

  test('a model name cannot leave the address', async () => {
    const { url } = await run(
      toCurl(call({ provider: 'google', model: '"; echo x; "$(id)`id`', input: 'Hi' })),
    );
    expect(url).toBe(
      'https://generativelanguage.googleapis.com/v1beta/models/%22%3B%20echo%20x%3B%20%22%24(id)%60id%60:generateContent',
    );
  });
});
