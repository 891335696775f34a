/**
 * A libSQL server's HTTP protocol (Hrana 2, JSON: the one that the official client speaks) over one local file.
 *
 * It has batons, batches with conditions, interactive transactions, one writer at a time, transactions that are rolled
 * back when idle for 5 s, a bearer token, and refuses the statements that the server refuses. It does not have signed
 * tokens, TLS, replicas, Hrana 3, cursors, WebSockets or namespaces.
 */
import Libsql from 'libsql';
import type { Pipeline } from './hrana.ts';
import { openStream, type Stream } from './stream.ts';
import { createWriteTurn } from './write-turn.ts';

/** A running stand-in. */
export type LibsqlServer = {
  /** For DATABASE_URL. */
  readonly url: string;
  /** Number of HTTP requests since the start. */
  requests(): number;
  /** From now on requests are refused, until `resume`; transactions are rolled back. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
};

const IDLE_MS = 5_000;

type Kept = { readonly stream: Stream; readonly idle: Timer };

/** @param token every request needs it; none if empty */
export function startLibsql(file: string, token = ''): LibsqlServer {
  const first = new Libsql(file);
  first.exec('PRAGMA journal_mode = WAL');
  first.close();
  const turn = createWriteTurn();
  const kept = new Map<string, Kept>();
  let requests = 0;
  let isPaused = false;

  function keep(stream: Stream): string {
    const baton = crypto.randomUUID();
    const idle = setTimeout(() => take(baton)?.end(), IDLE_MS);
    kept.set(baton, { stream, idle });
    return baton;
  }

  /** A baton is good for one request. */
  function take(baton: string): Stream | null {
    const found = kept.get(baton);
    kept.delete(baton);
    clearTimeout(found?.idle);
    return found?.stream ?? null;
  }

  async function pipeline(request: Bun.BunRequest): Promise<Response> {
    requests++;
    if (isPaused) return new Response('', { status: 503 });
    if (token !== '' && request.headers.get('authorization') !== `Bearer ${token}`)
      return Response.json({ error: 'Unauthorized' }, { status: 401 });
    const { baton, requests: asked } = (await request.json()) as Pipeline;
    const stream = baton == null ? openStream(file, turn) : take(baton);
    if (stream === null)
      return Response.json({ message: 'The stream has expired', code: 'STREAM_EXPIRED' }, { status: 400 });
    const results: object[] = [];
    for (const one of asked) results.push(await stream.answer(one));
    const isClosed = asked.some(({ type }) => type === 'close');
    if (isClosed) stream.end();
    return Response.json({ baton: isClosed ? null : keep(stream), base_url: null, results });
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: { '/v2/pipeline': { POST: pipeline }, '/v2': new Response('') },
    fetch: () => new Response('', { status: 404 }),
  });
  const endAll = (): void => {
    for (const baton of [...kept.keys()]) take(baton)?.end();
  };
  return {
    url: `libsql://127.0.0.1:${server.port}?tls=0`,
    requests: () => requests,
    pause() {
      isPaused = true;
      endAll();
    },
    resume() {
      isPaused = false;
    },
    async stop() {
      endAll();
      await server.stop(true);
    },
  };
}
