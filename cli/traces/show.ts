import { z } from 'zod';
import type { StoredEvent, WaterfallReply } from '../../src/core/events/contract.ts';
import type { EventQuery } from '../../src/core/events/index.ts';
import { getEventEndpoint } from '../../src/core/events/list/contract.ts';
import { notFound } from '../../src/errors.ts';
import { countText, durationText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { statusCell } from '../events/columns.ts';
import { remoteEventQuery } from '../events/event-argument.ts';
import { money } from '../format.ts';
import { wholeNumber } from '../list/limit.ts';
import { utcAndLocal } from '../moment.ts';
import type { Column, Output } from '../output.ts';
import { projectOption, readOfProject } from '../project.ts';
import { duration, tinted } from '../report/figures.ts';
import { block, section } from '../report/pieces.ts';

/** Failed spans whose messages are shown. */
const MOST_FAILURES = 20;
/** Levels that are indented. Deeper ones are numbered, so that names keep their room. */
const MOST_INDENTED = 8;

export const tracesShow = defineCommand({
  name: 'traces show',
  summary: 'Show a trace as a tree of spans, with time, duration, cost and the texts of failures',
  args: {
    trace: {
      summary: 'Id of the trace, or the start of a recent one',
      id: 'trace',
      type: z.string().min(1).max(128),
    },
  },
  options: {
    ...projectOption,
    limit: {
      value: 'N',
      summary: 'Most spans to print, 1 to 50000; --json has all',
      short: 'n',
      type: wholeNumber(1, 50_000),
      default: '500',
    },
  },
  examples: [
    'spanledger traces show 4bf92f3577b34da6a3ce929d0e0e4736',
    'spanledger traces show 4bf92f3577b34da6a3ce929d0e0e4736 --json',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { limit } = options;
    await readOfProject(ctx, options.project, {
      file: async (app, scope) => {
        const { eventsOf } = await import('../../src/core/events/index.ts');
        const found = <T>(trace: T | null): T => {
          if (trace !== null) return trace;
          throw notFound(`There is no trace ${args.trace} in this project`);
        };
        if (output.json)
          return output.result(found(await eventsOf(app).trace(scope, args.trace)).parse(), () => {});
        const doc = found(await eventsOf(app).waterfall(scope, args.trace)).parse();
        const failures = await readFailures(doc, async (query) => {
          const found = await eventsOf(app).event(scope, query);
          return found === null ? [] : [found.event];
        });
        print(output, doc, { limit, failures });
      },
      server: async (server, project) => {
        const { getTraceEndpoint, getWaterfallEndpoint } = await import(
          '../../src/features/traces/contract.ts'
        );
        const asked = { params: { traceId: args.trace }, query: { projectId: project.id } };
        if (output.json) return output.result(await server.get(getTraceEndpoint, asked), () => {});
        const doc = await server.get(getWaterfallEndpoint, asked);
        const failures = await readFailures(doc, async (query) => [
          await server.get(getEventEndpoint, remoteEventQuery(query, project)),
        ]);
        print(output, doc, { limit, failures });
      },
    });
  },
});

/** The first failed spans, with their messages. */
const readFailures = async (
  { trace, spans }: WaterfallReply,
  read: (query: EventQuery) => Promise<StoredEvent[]>,
): Promise<StoredEvent[]> => {
  const start = Date.parse(trace.start);
  const failed = [...spans.status.keys()].filter((place) => isFailed(spans.status[place]));
  const found = await Promise.all(
    failed
      .slice(0, MOST_FAILURES)
      .map((place) =>
        read({ id: spans.event_id[place] ?? '', ts: Math.floor(start + (spans.start_ms[place] ?? 0)) }),
      ),
  );
  return found.flat();
};

const isFailed = (status: string | undefined): boolean =>
  status === 'error' || status === 'timeout' || status === 'rate_limited';

const columnsOf = ({ spans }: WaterfallReply): readonly Column<number>[] => [
  { header: 'span', value: (place) => `${indentOf(spans.depth[place] ?? 0)}${nameOf(spans, place)}` },
  {
    header: 'start',
    value: (place) => ({ text: durationText(spans.start_ms[place] ?? 0), tone: 'dim', align: 'right' }),
  },
  { header: 'duration', value: (place) => duration(spans.latency_ms[place] ?? 0) },
  {
    header: 'cost',
    value: (place) =>
      (spans.unpriced[place] ?? 0) > 0
        ? { text: 'no price', tone: 'warn', align: 'right' }
        : (spans.cost_usd[place] ?? 0) === 0
          ? null
          : money(spans.cost_usd[place]),
  },
  { header: 'status', value: (place) => statusCell(spans.status[place] ?? 'success'), fixed: true },
];

const indentOf = (depth: number): string =>
  depth <= MOST_INDENTED ? '  '.repeat(depth) : `${'  '.repeat(MOST_INDENTED)}[${depth}] `;

const nameOf = ({ name, model, kind, orphan }: WaterfallReply['spans'], place: number): string => {
  const own = name[place] || kind[place] || '';
  const of = model[place];
  return `${orphan[place] ? '? ' : ''}${own}${of && !own.includes(of) ? ` · ${of}` : ''}`;
};

interface Shown {
  readonly limit: number;
  readonly failures: readonly StoredEvent[];
}

const print = (output: Output, doc: WaterfallReply, { limit, failures }: Shown): void => {
  const { trace, spans } = doc;
  output.line(tinted(trace.trace_id, 'bold'), tinted(utcAndLocal(Date.parse(trace.start)), 'dim'));
  const parts = [
    countText(trace.spans, 'span'),
    countText(trace.llm_calls, 'call'),
    countText(trace.errors, 'error'),
    duration(trace.duration_ms).text,
    money(trace.cost_usd).text,
    trace.unpriced > 0 ? `${countText(trace.unpriced, 'call')} without a price` : '',
  ];
  output.line(parts.filter((part) => part !== '').join(' · '));
  output.raw('\n');
  const places = [...spans.depth.keys()];
  output.table(columnsOf(doc), places.slice(0, limit));
  const rest = trace.spans - Math.min(limit, places.length);
  if (rest > 0) output.line(tinted(`and ${countText(rest, 'more span')}`, 'dim'));
  if (spans.orphan.includes(true)) output.line(tinted('?: the parent of this span is not stored', 'dim'));
  if (failures.length === 0) return;
  section(output, 'Failures', trace.errors > failures.length ? `the first ${failures.length}` : '');
  for (const { event_id, status, name, operation, error_code, error_message } of failures) {
    output.line(
      tinted(name ?? operation, 'bold'),
      tinted(error_code ?? status, 'bad'),
      tinted(event_id, 'dim'),
    );
    if (error_message !== null) block(output, error_message);
  }
};
