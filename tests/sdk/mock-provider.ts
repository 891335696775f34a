/** The provider's reply to the next request. */
export type Reply =
  | { readonly json: unknown; readonly status?: number; readonly headers?: Record<string, string> }
  /** Server-sent events in order; `stall` leaves the reply open after them. */
  | { readonly events: readonly unknown[]; readonly stall?: boolean; readonly named?: boolean }
  /** Bytes in parts, of any other kind of stream. */
  | {
      readonly parts: readonly Uint8Array<ArrayBuffer>[];
      readonly headers: Record<string, string>;
      readonly stall?: boolean;
    }
  | { readonly hang: true };

/** A request that the provider received. */
export type Seen = {
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
  /** The body as it came. */
  readonly text: string;
};

export type MockProvider = {
  readonly url: string;
  readonly seen: Seen[];
  /** Sets the replies to the next requests, in this order; later requests get 500. */
  will(...replies: Reply[]): void;
  /** Forgets what was seen, and replies to requests that were aborted before they arrived. */
  reset(): void;
  stop(): Promise<void>;
};

const encoder = new TextEncoder();

const frame = (event: unknown, named: boolean): Uint8Array => {
  const name = named ? `event: ${(event as { type: string }).type}\n` : '';
  return encoder.encode(`${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
};

const streamOf = (parts: readonly Uint8Array[], stall = false) =>
  new ReadableStream({
    async start(to) {
      for (const part of parts) {
        to.enqueue(part);
        // A provider's latency: each event arrives in a part of its own.
        await Bun.sleep(2);
      }
      if (!stall) to.close();
    },
  });

const sse = { headers: { 'content-type': 'text/event-stream' } };

const answer = (reply: Reply): Response | Promise<Response> => {
  if ('hang' in reply) return new Promise(() => {});
  if ('parts' in reply) return new Response(streamOf(reply.parts, reply.stall), { headers: reply.headers });
  if ('events' in reply) {
    const frames = reply.events.map((event) => frame(event, reply.named === true));
    return new Response(streamOf(frames, reply.stall), sse);
  }
  return Response.json(reply.json, { status: reply.status ?? 200, headers: reply.headers ?? {} });
};

const parsed = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

/** A model provider on loopback with scripted replies, which records its requests. */
export const startProvider = (): MockProvider => {
  const seen: Seen[] = [];
  const replies: Reply[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const text = await request.text();
      seen.push({ path: new URL(request.url).pathname, body: parsed(text), headers: request.headers, text });
      return answer(replies.shift() ?? { json: { error: { message: 'nothing to say' } }, status: 500 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    seen,
    will: (...more) => void replies.push(...more),
    reset() {
      seen.length = 0;
      replies.length = 0;
    },
    stop: () => server.stop(true),
  };
};

/** A provider that starts a stream for every request and then closes the connection. */
export const startCuttingProvider = (events: readonly unknown[]): { url: string; stop(): void } => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 100000\r\n\r\n';
  const server = Bun.listen({
    port: 0,
    hostname: '127.0.0.1',
    socket: {
      async data(socket) {
        socket.write(head);
        for (const event of events) socket.write(frame(event, false));
        socket.flush();
        // Time for the events to arrive before the connection ends.
        await Bun.sleep(20);
        socket.end();
      },
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
};
