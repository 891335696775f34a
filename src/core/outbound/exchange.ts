import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { OutboundError, toOutboundError } from './outbound-error.ts';
import type { Target } from './policy.ts';

/** A request as it is sent. */
export type Sent = {
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
};

/** Statuses whose replies have no body (Fetch, 2.2.3). */
const BODILESS = new Set([204, 205, 304]);

/** How an exchange ends before its reply does. */
export type ExchangeLimits = {
  /** Also ends the reading of the reply's body. */
  readonly signal: AbortSignal;
  /** A longer body fails with `too_large` while it is read. */
  readonly maxBytes: number;
  /** Maps every failure. */
  toError(error: unknown): OutboundError;
};

/**
 * Sends a request on an open connection, which ends with the reply.
 * @throws what `toError` returns; the body of the reply fails with it, too
 */
export async function exchange(
  socket: Socket,
  target: Target,
  { method, headers, body }: Sent,
  limits: ExchangeLimits,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { url, port, secure } = target;
  const options: RequestOptions = {
    // The checked address, so that no name is resolved again. With an agent the given connection would not be used.
    host: socket.remoteAddress,
    port,
    path: `${url.pathname}${url.search}`,
    method,
    headers: { ...Object.fromEntries(headers), host: url.host },
    signal: limits.signal,
    createConnection: () => socket,
  };
  const request = (secure ? requestHttps : requestHttp)(options, resolve);
  // Stays for errors after the reply began, which the body reports.
  request.on('error', reject);
  request.on('upgrade', (_reply, upgraded) => {
    upgraded.destroy();
    reject(invalid());
  });
  request.end(body);
  try {
    return toResponse(await promise, method, limits);
  } catch (error) {
    request.destroy();
    socket.destroy();
    throw limits.toError(error);
  }
}

function toResponse(reply: IncomingMessage, method: string, limits: ExchangeLimits): Response {
  const status = reply.statusCode ?? 0;
  if (status < 200 || status > 599) throw invalid();
  const headers = new Headers();
  for (const [name, values] of Object.entries(reply.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  if (BODILESS.has(status) || method === 'HEAD') {
    reply.destroy();
    return new Response(null, { status, headers });
  }
  return new Response(toStream(reply, limits), { status, headers });
}

/** The body of a reply, up to its allowed length. It is read no faster than the stream. */
function toStream(reply: IncomingMessage, { maxBytes, toError }: ExchangeLimits): ReadableStream<Uint8Array> {
  // A body that nobody reads must not crash the process when its time is over.
  reply.on('error', () => {});
  const chunks = (reply as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  let size = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await chunks.next();
        if (next.done === true) return controller.close();
        size += next.value.length;
        if (size > maxBytes)
          throw new OutboundError('too_large', `The reply is longer than ${maxBytes} bytes`);
        controller.enqueue(next.value);
      } catch (error) {
        reply.destroy();
        controller.error(toError(error));
      }
    },
    cancel: () => void reply.destroy(),
  });
}

const invalid = (): OutboundError => toOutboundError(new RangeError());
