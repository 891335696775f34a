import type { EngineAddress } from '../clickhouse/start.ts';

/** What becomes of inserts: `late`: they are stored, and answered with a timeout; `refused`: they are not stored. */
type Mode = 'pass' | 'late' | 'refused';

/** ClickHouse behind a network that fails on request. */
export type EngineProxy = {
  /** For EVENTS_URL. */
  readonly url: string;
  become(mode: Mode): void;
  /** Rows of a statement, read from the engine itself. */
  query(sql: string): Promise<string>;
  stop(): Promise<void>;
};

const TIMEOUT = 'Code: 209. DB::NetException: Timeout exceeded. (SOCKET_TIMEOUT)';

export function openEngineProxy({ port, database }: EngineAddress): EngineProxy {
  let mode: Mode = 'pass';
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search, searchParams } = new URL(request.url);
      const isInsert = (searchParams.get('query') ?? '').startsWith('INSERT INTO');
      if (isInsert && mode === 'refused') return new Response(TIMEOUT, { status: 500 });
      const reply = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        body: request.method === 'GET' ? null : await request.arrayBuffer(),
        decompress: false,
      });
      const bytes = await reply.arrayBuffer();
      if (isInsert && mode === 'late') return new Response(TIMEOUT, { status: 500 });
      return new Response(bytes, { status: reply.status, headers: reply.headers });
    },
  });
  return {
    url: `clickhouse://writer@127.0.0.1:${server.port}/${database}`,
    become(next) {
      mode = next;
    },
    async query(sql) {
      const reply = await fetch(`http://127.0.0.1:${port}/?database=${database}`, {
        method: 'POST',
        headers: { 'x-clickhouse-user': 'writer' },
        body: sql,
      });
      const text = await reply.text();
      if (!reply.ok) throw new Error(text);
      return text.trim();
    },
    stop: () => server.stop(true),
  };
}
