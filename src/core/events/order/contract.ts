import { z } from 'zod';

/** What events can be ordered by. */
export const EVENT_SORTS = [
  'time',
  'cost',
  'latency',
  'ttft',
  'input',
  'output',
  'cached',
  'reasoning',
  'tokens',
] as const;
export type EventSort = (typeof EVENT_SORTS)[number];

/** What traces and sessions can be ordered by. */
export const LINE_SORTS = ['time', 'cost', 'duration', 'spans', 'calls', 'errors', 'tokens'] as const;
export type LineSort = (typeof LINE_SORTS)[number];

/** An order of a list. Rows without the value come last in both directions. */
export type Order<S extends string> = { readonly by: S; readonly desc: boolean };

/** Most events that an order other than by time may read. */
export const MAX_SORTED_EVENTS = 10_000_000;
export const MAX_SORTED_LINE_EVENTS = 1_000_000;

const direction = z
  .enum(['desc', 'asc'])
  .default('desc')
  .describe('`desc`: largest or newest first. `asc`: smallest or oldest first. Default: `desc`.');

/** Parameters of the order of events. */
export const eventOrderSchema = z.object({
  sort: z
    .enum(EVENT_SORTS)
    .default('time')
    .describe(
      `Order of the list. All but \`time\` read each event of the range, at most ${MAX_SORTED_EVENTS.toLocaleString('en-US')}; a longer range answers 400. Events without the value come last. Default: \`time\`.`,
    ),
  order: direction,
});

/** Parameters of the order of traces and sessions. */
export const lineOrderSchema = z.object({
  sort: z
    .enum(LINE_SORTS)
    .default('time')
    .describe(
      `Order of the list. All but the newest first read each event of the range, at most ${MAX_SORTED_LINE_EVENTS.toLocaleString('en-US')}; a longer range answers 400. Spans more than 24 hours outside the range do not take part in the order. Default: \`time\`.`,
    ),
  order: direction,
});

/** The order that a query asks for; undefined for newest first. */
export const orderOf = <S extends string>({
  sort,
  order,
}: {
  readonly sort: S;
  readonly order: 'desc' | 'asc';
}): Order<S> | undefined =>
  sort === 'time' && order === 'desc' ? undefined : { by: sort, desc: order === 'desc' };
