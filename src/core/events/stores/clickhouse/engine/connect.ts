import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { type AppError, unavailable } from '../../../../../errors.ts';
import { type Engine, type EngineRow, INSERT_TIME } from './engine.ts';
import { render } from './sql.ts';

/** Where the events are, and who writes and reads them. */
export type Address = {
  /** `clickhouse://USER@HOST:PORT/DATABASE`, or `clickhouses://` for TLS. */
  readonly url: string;
  readonly password: string | undefined;
  /** A user with row policies: its setting `SQL_project_ids` names the projects. Without one the writing user reads. */
  readonly reader: { readonly user: string; readonly password: string | undefined } | null;
  /** How many replicas acknowledge an insert; 0 for one server. */
  readonly insertQuorum: number;
};

/** What holds for each statement, whatever the defaults of the server's version are. */
const ALWAYS: ClickHouseSettings = {
  // A key lies in one partition, because the time is part of it.
  do_not_merge_across_partitions_select_final: 1,
  output_format_json_quote_64bit_integers: 0,
  // Ids of a batch are in the text of a query.
  max_query_size: '33554432',
  max_ast_elements: '2000000',
  max_expanded_ast_elements: '4000000',
};
const INSERTS: ClickHouseSettings = {
  async_insert: 0,
  wait_end_of_query: 1,
  // A batch may hold events of many days.
  max_partitions_per_insert_block: '0',
};
const PATIENCE_MS = 60_000;
const CONNECTIONS = 16;

/** Codes of errors that pass: too busy, out of time or memory, too many parts, no quorum, not ready. */
const PASSING = new Set([
  '159',
  '202',
  '209',
  '210',
  '241',
  '242',
  '252',
  '279',
  '285',
  '286',
  '319',
  '425',
  '439',
  '999',
]);

/** Opens connections when they are first needed. */
export function connectEngine(address: Address): Engine {
  let opened: Promise<{ readonly writer: ClickHouseClient; readonly reader: ClickHouseClient }> | null = null;
  const clients = () => {
    opened ??= openClients(address);
    return opened;
  };
  const quorum: ClickHouseSettings =
    address.insertQuorum > 0 ? { insert_quorum: String(address.insertQuorum) } : {};

  return {
    async read<T extends EngineRow>(...[projects, asked, deadlineMs]: Parameters<Engine['read']>) {
      const { reader } = await clients();
      const { query, params } = render(asked);
      return orUnavailable(async () => {
        const reply = await reader.query({
          query,
          query_params: params,
          format: 'JSONEachRow',
          ...(deadlineMs === undefined ? {} : { abort_signal: AbortSignal.timeout(deadlineMs) }),
          clickhouse_settings: {
            ...ALWAYS,
            ...(deadlineMs === undefined ? {} : { max_execution_time: Math.ceil(deadlineMs / 1_000) }),
            ...(address.reader === null ? {} : { SQL_project_ids: projects.join(',') }),
          },
        });
        return reply.json<T>();
      });
    },
    async run(statement, settings = {}) {
      const { writer } = await clients();
      const { query, params } = render(statement);
      const clickhouse_settings = { ...ALWAYS, ...INSERTS, ...quorum, ...settings };
      await orUnavailable(() => writer.command({ query, query_params: params, clickhouse_settings }));
    },
    async insert(table, rows, settings = {}) {
      const { writer } = await clients();
      await orUnavailable(() =>
        writer.insert({
          table,
          values: rows,
          format: 'JSONEachRow',
          clickhouse_settings: { ...ALWAYS, ...INSERTS, ...quorum, ...INSERT_TIME, ...settings },
        }),
      );
    },
    async close() {
      if (opened === null) return;
      const { writer, reader } = await opened;
      await Promise.all([writer.close(), reader.close()]);
    },
  };
}

/** The client is loaded when it is needed: a server with embedded events does without. */
async function openClients({ url, password, reader }: Address) {
  const { createClient } = await import('@clickhouse/client');
  const { protocol, host, username, pathname } = new URL(url);
  const shared = {
    url: `${protocol === 'clickhouses:' ? 'https' : 'http'}://${host}`,
    database: decodeURIComponent(pathname.slice(1)) || 'default',
    request_timeout: PATIENCE_MS,
    max_open_connections: CONNECTIONS,
    compression: { request: true, response: true },
    // It would write errors to the console.
    log: { LoggerClass: Silent },
  };
  const of = (user: string, secret: string | undefined) =>
    createClient({ ...shared, username: user, password: secret ?? '' });
  const writer = of(decodeURIComponent(username) || 'default', password);
  return { writer, reader: reader === null ? writer : of(reader.user, reader.password) };
}

class Silent {
  trace(): void {}
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}

/** @throws AppError 503 if the engine cannot be reached or is too busy; a mistake in a statement stays what it is */
async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toUnavailable(error) ?? error;
  }
}

function toUnavailable(error: unknown): AppError | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error ? String(error.code) : '';
  const isAnswer = /^\d+$/.test(code);
  const isLost = code !== '' || /timeout|socket|network|aborted|connect/i.test(error.message);
  if (isAnswer ? !PASSING.has(code) : !isLost) return null;
  return unavailable('The event store cannot be reached or is busy; try again', 2, error);
}
