import { metricsWindow } from '../../src/core/events/index.ts';
import { ofProject, operatorScope } from '../../src/core/tenancy/index.ts';
import type { BaseContext } from '../command.ts';
import { chooseProject } from '../project.ts';
import { withApp } from '../session.ts';
import { parseWindow } from '../window.ts';
import { checkStatement } from './check-statement.ts';
import { eventColumns } from './columns.ts';
import { countEvents, type Reading, readRows } from './load-events.ts';
import type { Rows } from './messages.ts';
import { type QueryProcess, startQueryProcess } from './query-process.ts';

interface QueryOptions {
  readonly project: string | undefined;
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly environment: string | undefined;
  readonly model: string | undefined;
  readonly maxRows: number;
  readonly limit: number;
  readonly timeout: number;
}

/** From so many events on, reading takes a while and is announced. */
const MANY = 100_000;

/**
 * Reads the window's events into the query process and runs the statement there.
 * @returns the number of events that were read, and at most `limit` rows of the statement
 * @throws {UserError} if the statement is refused or fails, or a limit is exceeded
 */
export const runQuery = async (
  ctx: BaseContext,
  given: string,
  { project, maxRows, limit, timeout, environment, model, ...bounds }: QueryOptions,
): Promise<{ events: number; rows: Rows }> => {
  const { sql, mentions } = checkStatement(given);
  const now = Date.now();
  const window = metricsWindow(parseWindow(bounds, now), now);
  const columns = eventColumns.filter(({ name }) => mentions(name));
  return withApp(ctx, async ({ ctx: app }) => {
    const scope = ofProject(operatorScope(await chooseProject(app, project)));
    const reading = { ctx: app, scope, window, filters: { environment, model }, columns, maxRows };
    const engine = startQueryProcess();
    try {
      // All columns exist, so that an error names the ones that do not; those not mentioned stay empty.
      await engine.send({
        kind: 'open',
        columns: eventColumns.map(({ name, type }) => ({ name, type })),
        loaded: columns.map(({ name }) => name),
        sql,
      });
      const count = await countEvents(reading);
      ctx.output[count >= MANY ? 'info' : 'detail'](`Reading ${count.toLocaleString('en')} events`);
      const events = await fill(engine, reading);
      const rows = await engine.send({ kind: 'run', limit }, timeout);
      if (rows === null) throw new Error('The query process replied without rows');
      return { events, rows };
    } finally {
      engine.stop();
    }
  });
};

/** Sends the events, a page ahead of what is stored, and returns their number. */
const fill = async (engine: QueryProcess, reading: Reading): Promise<number> => {
  let stored: Promise<unknown> = Promise.resolve();
  let read = 0;
  for await (const rows of readRows(reading)) {
    await stored;
    stored = engine.send({ kind: 'store', rows });
    // A failure is thrown by the next `await`; until then nobody waits for it.
    stored.catch(() => {});
    read += rows.length;
  }
  await stored;
  return read;
};
