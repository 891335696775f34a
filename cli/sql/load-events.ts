import type { Ctx } from '../../src/context.ts';
import { type EventFilters, eventsOf, type Window } from '../../src/core/events/index.ts';
import type { EventScope } from '../../src/core/tenancy/index.ts';
import { eventPages } from '../events/pages.ts';
import { EXIT, UserError } from '../user-error.ts';
import type { EventColumn, Value } from './columns.ts';

/** Events read at a time. */
const PAGE = 2_000;

/** The events to read, and their columns. */
export interface Reading {
  readonly ctx: Ctx;
  readonly scope: EventScope;
  readonly window: Window;
  readonly filters: EventFilters;
  readonly columns: readonly EventColumn[];
  readonly maxRows: number;
}

/** The number of events in the window. Throws UserError `too_many_events` if there are more than `maxRows`. */
export const countEvents = async ({ ctx, scope, window, filters, maxRows }: Reading): Promise<number> => {
  const query = { window, filters, calls: false, cursor: null, limit: 1 };
  const { total } = (await eventsOf(ctx).events(scope, query)).parse();
  if (total > maxRows) throw tooMany(total, maxRows);
  return total;
};

/** The columns of the window's events, newest first, in pages. Throws like `countEvents`. */
export const readRows = async function* (reading: Reading): AsyncGenerator<Value[][]> {
  const { ctx, scope, window, filters, columns, maxRows } = reading;
  let read = 0;
  for await (const events of eventPages(ctx, scope, { window, filters, calls: false, limit: PAGE })) {
    read += events.length;
    // Events may have arrived since they were counted.
    if (read > maxRows) throw tooMany(read, maxRows);
    yield events.map((event) => columns.map(({ value }) => value(event)));
  }
};

const tooMany = (count: number, maxRows: number): UserError =>
  new UserError({
    what: `The window has ${count.toLocaleString('en')} events; at most ${maxRows.toLocaleString('en')} are read`,
    fix: 'Choose a shorter window with --start and --end, or raise --max-rows',
    code: 'too_many_events',
    exit: EXIT.usage,
  });
