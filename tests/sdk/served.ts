/** What the mock served for one request, with the expected event and cost. */
export type Served = {
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  readonly status: string;
  readonly stream: boolean;
  readonly kind: string;
  /** USD, computed here from list prices. */
  readonly cost: number;
};

/** USD per million tokens, of gpt-4o and text-embedding-3-small: fresh input, cached input, output. */
const RATES = { llm: [2.5, 1.25, 10], embedding: [0.02, 0.02, 0] } as const;

const encoder = new TextEncoder();

const base = (n: number) => ({ id: `c${n}`, created: 1, model: 'gpt-4o' });

const usageOf = ({ input_tokens, cached_input_tokens, output_tokens }: Served) => ({
  prompt_tokens: input_tokens,
  completion_tokens: output_tokens,
  total_tokens: input_tokens + output_tokens,
  prompt_tokens_details: { cached_tokens: cached_input_tokens },
});

const streamed = (n: number, served: Served): Response => {
  const delta = (content: string, finish_reason: string | null = null) => ({
    ...base(n),
    choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason }],
  });
  const events = [delta('Pa'), delta('ris', 'stop'), { ...base(n), choices: [], usage: usageOf(served) }];
  const lines = [...events.map((event) => JSON.stringify(event)), '[DONE]'].map(
    (data) => `data: ${data}\n\n`,
  );
  const body = new ReadableStream({
    start(to) {
      for (const line of lines) to.enqueue(encoder.encode(line));
      to.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
};

const whole = (n: number, served: Served): Response => {
  const usage = usageOf(served);
  if (served.kind === 'embedding') return Response.json({ data: [{ embedding: [1], index: 0 }], usage });
  const message = { role: 'assistant', content: 'Paris' };
  return Response.json({ ...base(n), choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
};

const costOf = ({ kind, input_tokens, cached_input_tokens, output_tokens }: Omit<Served, 'cost'>): number => {
  const [fresh, cached, output] = RATES[kind === 'embedding' ? 'embedding' : 'llm'];
  const input = (input_tokens - cached_input_tokens) * fresh + cached_input_tokens * cached;
  return (input + output_tokens * output) / 1e6;
};

/** A provider whose replies are all different, and recorded. */
export const startCounting = () => {
  const served: Served[] = [];
  const serve = (path: string, stream: boolean): Response => {
    const n = served.length + 1;
    const kind = path === '/embeddings' ? 'embedding' : 'llm';
    const refused = n % 10 === 7;
    const tokens = refused
      ? { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 }
      : {
          input_tokens: 1_000 + n,
          cached_input_tokens: kind === 'llm' ? n : 0,
          output_tokens: kind === 'llm' ? n % 50 : 0,
        };
    const told = { ...tokens, status: refused ? 'rate_limited' : 'success', stream, kind };
    const one = { ...told, cost: costOf(told) };
    served.push(one);
    if (refused)
      return Response.json({ error: { message: `no ${n}`, code: 'rate_limit_exceeded' } }, { status: 429 });
    return stream ? streamed(n, one) : whole(n, one);
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { stream = false } = (await request.json()) as { stream?: boolean };
      return serve(new URL(request.url).pathname, stream);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, served, stop: () => server.stop(true) };
};
