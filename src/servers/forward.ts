import { createHmac, timingSafeEqual } from 'node:crypto';
import { unavailable } from '../errors.ts';
import type { ClientAddress } from '../http/server.ts';

/** Says who sent a request to the server that passes it on, signed with the secret that all servers have. */
const HEADER = 'spanledger-passed-on';
/** Larger bodies are passed on as they arrive, so they are sent once. */
const MOST_KEPT = 65_536;
/** How long a request waits for a leader: one that died leads until its lease is over. */
const PATIENCE_MS = 20_000;
const POLL_MS = 100;
/** Servers that a request may pass while the leader changes. */
const MOST_HOPS = 4;
/** Headers of one connection, and those that the runtime sets. */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer'];

type Sender = ClientAddress & { readonly hops: number };

const signatureOf = (secret: string, request: Request, text: string): Buffer =>
  createHmac('sha256', secret)
    .update(`passed on\n${text}\n${request.method}\n${pathOf(request)}`)
    .digest();

const pathOf = ({ url }: Request): string => {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** Who sent a request that another server passed on; null if it came directly, or the signature is not valid. */
export function senderOf(request: Request, secret: string): Sender | null {
  const given = request.headers.get(HEADER);
  if (given === null) return null;
  const [text = '', signature = ''] = given.split(';', 2);
  const [hops = '', address = ''] = text.split(' ', 2);
  const [wanted, got] = [signatureOf(secret, request, text), Buffer.from(signature, 'base64url')];
  if (got.length !== wanted.length || !timingSafeEqual(got, wanted)) return null;
  return { address: address === '' ? null : address, hops: Number(hops) };
}

type Target = {
  readonly secret: string;
  /** Address of the leader; null while none is known, or it is this server. */
  leader(): string | null;
  /** Looks who leads now. */
  look(): Promise<void>;
  /** Answers a request if this server leads now; null if it does not. */
  here(): Promise<((request: Request) => Promise<Response>) | null>;
};

/**
 * Passes a request on to the leader, and its reply back. While there is no leader it waits. A request whose connection
 * was refused is sent again; one that may have arrived is not.
 * @throws AppError 503 if there is no leader in time, or it was lost before it answered
 */
export async function passOn(request: Request, from: Sender, target: Target): Promise<Response> {
  if (from.hops >= MOST_HOPS) throw unavailable('The servers do not agree which of them leads; try again', 2);
  const until = performance.now() + PATIENCE_MS;
  const body = await bodyOf(request);
  for (;;) {
    const leader = target.leader();
    if (leader !== null) {
      try {
        return replyOf(await send(request, { leader, body, from, secret: target.secret }));
      } catch (error) {
        if (request.signal.aborted) throw error;
        if (!isRefused(error) || body instanceof ReadableStream)
          throw unavailable('The leading server was lost before it answered; try again', 1, error);
      }
    }
    await target.look();
    const here = await target.here();
    if (here !== null)
      return here(new Request(request.url, { method: request.method, headers: request.headers, body }));
    if (performance.now() > until) throw unavailable('No server leads at the moment; try again', 2);
    await Bun.sleep(POLL_MS);
  }
}

type Sent = {
  readonly leader: string;
  readonly body: ArrayBuffer | ReadableStream | null;
  readonly from: Sender;
  readonly secret: string;
};

function send(request: Request, { leader, body, from, secret }: Sent): Promise<Response> {
  const headers = new Headers(request.headers);
  for (const name of OF_CONNECTION) headers.delete(name);
  // The runtime sends a stream in chunks.
  if (body instanceof ReadableStream) headers.delete('content-length');
  const text = `${from.hops + 1} ${from.address ?? ''}`;
  headers.set(HEADER, `${text};${signatureOf(secret, request, text).toString('base64url')}`);
  return fetch(`${leader}${pathOf(request)}`, {
    method: request.method,
    headers,
    body,
    redirect: 'manual',
    decompress: false,
    // A connection that is kept may be closed just when it is used again.
    keepalive: false,
    timeout: false,
    signal: request.signal,
  } as RequestInit);
}

async function bodyOf(request: Request): Promise<Sent['body']> {
  if (request.body === null) return null;
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  return length <= MOST_KEPT ? request.arrayBuffer() : request.body;
}

function replyOf(reply: Response): Response {
  const headers = new Headers(reply.headers);
  for (const name of OF_CONNECTION) headers.delete(name);
  return new Response(reply.body, { status: reply.status, headers });
}

/** Whether nothing of the request was received. */
const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(ECONNREFUSED|ConnectionRefused)$/.test(String(error.code));
