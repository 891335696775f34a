import { setTimeout as pause } from 'node:timers/promises';
import type { StoredEvent } from '../../src/core/events/contract.ts';
import { AppError } from '../../src/errors.ts';
import { defineCommand } from '../command.ts';
import { truncate } from '../fit.ts';
import type { Cell } from '../format.ts';
import { wholeNumber } from '../list/limit.ts';
import { exactTime } from '../moment.ts';
import { jsonText, type Output } from '../output.ts';
import { type KnownProject, projectOption, readOfProject } from '../project.ts';
import { compact, duration, tinted } from '../report/figures.ts';
import { UserError } from '../user-error.ts';
import { toQuery } from '../window.ts';
import { createArrivals, type ReadPages } from './arrivals.ts';
import { costCell, statusCell, subjectOf } from './columns.ts';
import { filterOption, parseFilterOption } from './filter.ts';

const PAGE = 200;
/** The latest time that a Date can represent: clocks of senders may be fast. */
const END_OF_TIME = 8.64e15;

export const eventsTail = defineCommand({
  name: 'events tail',
  summary: 'Print new events as they are stored, also late ones of the last 15 minutes',
  options: {
    ...projectOption,
    ...filterOption,
    calls: { summary: 'Only calls, without other spans' },
    limit: {
      value: 'N',
      summary: 'End after this many events',
      short: 'n',
      type: wholeNumber(1, 100_000_000),
    },
    interval: {
      value: 'SECONDS',
      summary: 'Time between two reads, 1 to 3600',
      type: wholeNumber(1, 3600),
      default: '1',
    },
  },
  examples: [
    'spanledger events tail',
    "spanledger events tail --filter 'status:failed'",
    'spanledger events tail --calls --limit 100 --json >calls.ndjson',
  ],
  drains: 'quietly',
  run: async (ctx) => {
    const { output, options, signal } = ctx;
    const { calls, limit = Number.POSITIVE_INFINITY } = options;
    const filters = { where: parseFilterOption(options.filter) };
    const { eventPages, remoteEventPages } = await import('./pages.ts');
    const follow = async (pages: ReadPages, { name }: KnownProject): Promise<void> => {
      const arrivals = createArrivals(pages);
      await arrivals.next(Date.now());
      output.info(`Following new events of ${name}`);
      for (let left = limit; left > 0; ) {
        await pause(options.interval * 1_000, undefined, { signal }).catch(() => {});
        if (signal.aborted) return;
        const events = await untilBusy(() => arrivals.next(Date.now()), signal);
        for (const event of events.slice(0, left)) print(output, event);
        left -= events.length;
      }
    };
    await readOfProject(ctx, options.project, {
      file: (app, scope, project) =>
        follow(
          (from) =>
            eventPages(app, scope, { filters, calls, window: { from, to: END_OF_TIME }, limit: PAGE }),
          project,
        ),
      server: (server, project) => {
        const query = { projectId: project.id, filter: options.filter, calls, limit: PAGE };
        return follow((from) => remoteEventPages(server, { ...query, ...toQuery({ start: from }) }), project);
      },
    });
  },
});

/** Failures of a server that pass. */
const PASSING: readonly string[] = ['server_unreachable', 'server_failed', 'limited'];

/** No events while the store is busy or the server away, or once the command ends; the next read finds them. */
const untilBusy = async (read: () => Promise<StoredEvent[]>, signal: AbortSignal): Promise<StoredEvent[]> => {
  try {
    return await read();
  } catch (error) {
    if (signal.aborted || (error instanceof AppError && error.status === 503)) return [];
    if (error instanceof UserError && PASSING.includes(error.code)) return [];
    throw error;
  }
};

/** Widths of the model and of the columns before it; the error or name gets what is left. */
const MODEL_WIDTH = 22;
const BEFORE_NOTE = 74;

const print = (output: Output, event: StoredEvent): void => {
  if (output.json) {
    output.raw(`${jsonText(event)}\n`);
    return;
  }
  const { timestamp, latency_ms, input_tokens, output_tokens, error_code, error_message } = event;
  const note = [error_code, error_message, event.user_id].filter((one) => one !== null).join(' · ');
  const room = output.columns - BEFORE_NOTE;
  output.line(
    tinted(exactTime(Date.parse(timestamp)).padStart(15), 'dim'),
    left(tinted(subjectOf(event), 'plain'), MODEL_WIDTH),
    left(statusCell(event.status), 12),
    right(latency_ms === null ? '–' : duration(latency_ms).text, 7),
    right(compact(input_tokens + output_tokens).text, 5),
    right(costCell(event).text, 9),
    room >= 10 ? tinted(truncate(note.replaceAll(/\s+/g, ' '), room - 1), 'dim') : { text: '' },
  );
};

const left = (cell: Cell, width: number): Cell => {
  const text = truncate(cell.text, width);
  return { ...cell, text: text + ' '.repeat(Math.max(0, width - Bun.stringWidth(text))) };
};

const right = (text: string, width: number): Cell => ({ text: text.padStart(width) });
