// ClickHouse's HTTP interface, as far as `@clickhouse/client` uses it, over the engine in process (npm `chdb`):
// `bun stand-in.ts FOLDER [PORT]`. Prints its address, and ends when its input does. One process per folder.
//
// What it does: /ping, the query in the address or the body, param_*, settings in the address, gzip both ways, inserts in
// any format, error codes. What it does not: users, roles, sessions, quotas, progress headers, errors after the first
// byte, async inserts, replication. A `SQL_…` setting travels as `log_comment`: see `users-xml.ts`.
import { unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import { configXml, DATABASES, usersXml, WRITER } from './users-xml.ts';

type Result = { readonly bytes: Uint8Array; readonly rowsRead: number };
type Session = { readonly connection: unknown; query(sql: string): string; close(): void };
type Addon = {
  QueryAsyncConnection(
    connection: unknown,
    sql: string,
    format: string,
    params?: Record<string, string>,
  ): Promise<Result>;
};

const load = createRequire(import.meta.url);
const { Session } = load('chdb') as { Session: new (path: string, options: object) => Session };
const libc = process.platform === 'linux' ? '-gnu' : '';
/** Below the package's client: parameters as the text that HTTP brings, results as bytes. */
const addon = load(`@chdb/lib-${process.platform}-${process.arch}${libc}`) as Addon;

const [folder = '.', port = '0'] = process.argv.slice(2);
await Bun.write(join(folder, 'users.xml'), usersXml);
await Bun.write(join(folder, 'config.xml'), configXml(join(folder, 'users.xml')));
const data = join(folder, 'data');
const open = (): Session =>
  new Session(data, { connectionArgs: [`--config-file=${join(folder, 'config.xml')}`] });
/** Keeps the engine open between requests. */
const keeper = open();
for (const name of DATABASES) keeper.query(`CREATE DATABASE IF NOT EXISTS ${name}`);

/** Parameters of the address that are no settings, and settings that the engine in process does not have. */
const NOT_SETTINGS = new Set([
  ...['query', 'query_id', 'database', 'session_id', 'role', 'default_format', 'enable_http_compression'],
  ...['wait_end_of_query', 'user', 'password', 'insert_quorum', 'insert_quorum_parallel', 'readonly'],
]);
/** Parameters are shared state of the addon: queries with parameters run one after the other. */
let bound: Promise<unknown> = Promise.resolve();

const quote = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url);
  if (url.pathname === '/ping') return new Response('Ok.\n');
  const body = inflate(new Uint8Array(await request.arrayBuffer()), request.headers.get('content-encoding'));
  const text = url.searchParams.get('query');
  const session = open(); // 1.4 ms: the settings of one request never reach another.
  try {
    const { settings, params } = readParameters(url.searchParams, userOf(request));
    if (settings.length > 0) session.query(`SET ${settings.join(', ')}`);
    const database = url.searchParams.get('database') ?? request.headers.get('x-clickhouse-database');
    if (database !== null) session.query(`USE \`${database}\``);
    if (text !== null && body.length > 0) return await insert(session, text, body);
    const format = url.searchParams.get('default_format') ?? 'TabSeparated';
    const query = text ?? Buffer.from(body).toString();
    const run = (): Promise<Result> =>
      addon.QueryAsyncConnection(session.connection, withoutSync(query), format, params);
    const result = await (params === undefined ? run() : afterOthers(run));
    return reply(result.bytes, url, request);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  } finally {
    session.close();
  }
}

/** No test cuts the power, and what a killed process wrote is not lost without a sync. */
const withoutSync = (query: string): string => query.replace(/\b(fsync_\w+) = 1\b/g, '$1 = 0');

function afterOthers<T>(run: () => Promise<T>): Promise<T> {
  const next = bound.then(run, run);
  bound = next.catch(() => {});
  return next;
}

/** Inline data ends at a blank line: from a file it is read as it is. */
async function insert(session: Session, statement: string, body: Uint8Array): Promise<Response> {
  const file = join(folder, `insert-${crypto.randomUUID()}`);
  await Bun.write(file, body);
  try {
    const from = statement.replace(/\bFORMAT\s+(\w+)\s*$/i, `FROM INFILE ${quote(file)} FORMAT $1`);
    await addon.QueryAsyncConnection(session.connection, from, 'Null');
    return new Response('', { headers: summary() });
  } finally {
    await unlink(file);
  }
}

function readParameters(given: URLSearchParams, user: string) {
  const settings: string[] = ['max_threads = 1', ...(user === WRITER ? [`log_comment = '${WRITER}'`] : [])];
  const params: Record<string, string> = {};
  for (const [name, value] of given) {
    if (name.startsWith('param_')) params[name.slice('param_'.length)] = value;
    else if (name.startsWith('SQL_')) {
      if (user !== WRITER) settings.push(`log_comment = ${quote(value)}`);
    } else if (!NOT_SETTINGS.has(name)) settings.push(`${name} = ${quote(value)}`);
  }
  return Object.keys(params).length === 0 ? { settings, params: undefined } : { settings, params };
}

function userOf(request: Request): string {
  const basic = request.headers.get('authorization')?.match(/^Basic (.+)$/)?.[1];
  if (basic === undefined) return request.headers.get('x-clickhouse-user') ?? 'default';
  return atob(basic).split(':')[0] ?? '';
}

function inflate(body: Uint8Array, encoding: string | null): Uint8Array {
  if (encoding === 'gzip') return gunzipSync(body);
  return encoding === 'deflate' ? inflateSync(body) : body;
}

const summary = (): Record<string, string> => ({
  'X-ClickHouse-Query-Id': crypto.randomUUID(),
  'X-ClickHouse-Summary': JSON.stringify({ read_rows: '0', written_rows: '0', elapsed_ns: '0' }),
});

function reply(body: Uint8Array, url: URL, request: Request): Response {
  const packs =
    url.searchParams.get('enable_http_compression') === '1' &&
    /gzip/.test(request.headers.get('accept-encoding') ?? '');
  if (!packs || body.length === 0) return new Response(Buffer.from(body), { headers: summary() });
  return new Response(Buffer.from(gzipSync(body, { level: 1 })), {
    headers: { ...summary(), 'Content-Encoding': 'gzip' },
  });
}

function refuse(message: string): Response {
  const text = message.replace(/^Query failed: /, '');
  const code = text.match(/Code: (\d+)/)?.[1] ?? '1002';
  return new Response(`${text} (version stand-in)\n`, {
    status: Number(code) < 100 ? 400 : 500,
    headers: { 'X-ClickHouse-Exception-Code': code },
  });
}

const server = Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  idleTimeout: 255,
  maxRequestBodySize: 1 << 30,
  fetch: answer,
});
console.log(server.url.port);
for await (const _ of Bun.stdin.stream());
await server.stop(true);
keeper.close();
process.exit(0);
