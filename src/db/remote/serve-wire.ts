import type { Client, Transaction } from '@libsql/client/http';
import type { SqlResult, SqlStatement } from '../connection.ts';
import { connect, toInStatement, toSqlResult } from './connect.ts';
import { toFault } from './fault.ts';
import type { OpenWire, WireReply, WireRequest } from './wire.ts';

/** Runs the requests of one connection, one after the other. */
export function serveWire({ place, port, flag }: OpenWire): void {
  const session = createSession(connect(place));
  port.onmessage = async ({ data }) => {
    const reply = await session(data as WireRequest);
    port.postMessage(reply);
    Atomics.add(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
}

function createSession(client: Client): (request: WireRequest) => Promise<WireReply> {
  let transaction: Transaction | null = null;

  async function run(statements: readonly SqlStatement[]): Promise<SqlResult[]> {
    const sent = statements.map(toInStatement);
    const results =
      transaction !== null
        ? await transaction.batch(sent)
        : await Promise.all(sent.map((statement) => client.execute(statement)));
    return results.map(toSqlResult);
  }

  async function apply(request: WireRequest): Promise<SqlResult[]> {
    if ('end' in request) {
      const ended = transaction;
      transaction = null;
      await ended?.[request.end]();
      return [];
    }
    if (request.begin !== null) transaction = await client.transaction(request.begin);
    if ('run' in request) return run(request.run);
    await (transaction ?? client).executeMultiple(request.script);
    return [];
  }

  return async (request) => {
    try {
      return { results: await apply(request) };
    } catch (error) {
      const at = error instanceof Error && 'statementIndex' in error ? Number(error.statementIndex) : 0;
      return { fault: toFault(error), at };
    }
  };
}
