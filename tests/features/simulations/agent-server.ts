import type { ChatTurn } from '../../../src/lib/simulations/conversation/history.ts';
import { answerGuest, type Fault } from '../../lib/simulations/sample/booking-agent.ts';

type Asked = {
  readonly path: string;
  readonly headers: Headers;
  readonly body: {
    readonly message?: string;
    readonly messages: readonly ChatTurn[];
    readonly stream?: boolean;
  };
};

export type AgentServer = {
  readonly url: string;
  readonly requests: Asked[];
  faults: readonly Fault[];
  /** Replaces the answer to a request. */
  answer: ((asked: Asked) => Response | Promise<Response> | null) | null;
  close(): void;
};

/** The sample agent behind HTTP: `/chat` in JSON of its own, `/v1/chat/completions` as OpenAI, both also streamed. */
export function startAgent(): AgentServer {
  const agent: { faults: readonly Fault[]; answer: AgentServer['answer'] } = { faults: [], answer: null };
  const requests: Asked[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const asked = {
        path: new URL(request.url).pathname,
        headers: request.headers,
        body: (await request.json()) as Asked['body'],
      };
      requests.push(asked);
      return (await agent.answer?.(asked)) ?? reply(asked, agent.faults);
    },
  });
  return Object.assign(agent, {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    close: () => void server.stop(true),
  });
}

function reply({ path, body }: Asked, faults: readonly Fault[]): Response {
  const { text, toolCalls } = answerGuest(body.messages, faults);
  const calls = toolCalls.map(({ name, arguments: given }) => ({ tool: name, args: given }));
  if (path === '/chat') return Response.json({ answer: text, actions: calls, usd: 0.001 });
  const openai = toolCalls.map(({ name, arguments: given }, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }));
  if (body.stream !== true)
    return Response.json({
      choices: [{ index: 0, message: { role: 'assistant', content: text, tool_calls: openai } }],
      usage: { cost: 0.002 },
    });
  const chunk = (delta: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
  const words = text.split(/(?<= )/).map((content) => chunk({ content }));
  const end = `data: ${JSON.stringify({ choices: [], usage: { cost: 0.002 } })}\n\ndata: [DONE]\n\n`;
  return new Response([...words, chunk({ tool_calls: openai }), end].join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
}
