import type { Ctx } from '../../context.ts';
import { parseFilter } from '../events/filter/contract.ts';
import { type EventFilters, eventsOf, FAILED_STATUSES, type Window } from '../events/index.ts';
import { ofProject, type ProjectScope } from '../tenancy/index.ts';
import type { RootCause } from './contract.ts';
import type { Figures } from './figures.ts';
import { isOfFailures, type RootCauseMeasure } from './measures.ts';

const MOST = 5;
const FIELDS = [
  'event_id',
  'trace_id',
  'timestamp',
  'model',
  'status',
  'error_code',
  'latency_ms',
  'cost_usd',
] as const;

/** The newest calls of a cause that show the change: failed ones for errors, slow ones for latency. */
export async function readExamples(
  ctx: Ctx,
  scope: ProjectScope,
  about: {
    readonly measure: RootCauseMeasure;
    readonly window: Window;
    readonly filters: EventFilters;
    readonly filter: string;
    readonly figures: Figures;
  },
): Promise<RootCause['examples']> {
  const { filters, window } = about;
  const where = [...(filters.where ?? []), ...parseFilter(`${about.filter} ${narrowed(about)}`)];
  const status =
    isOfFailures(about.measure) && filters.status === undefined ? FAILED_STATUSES : filters.status;
  const found = await eventsOf(ctx).newest(ofProject(scope), {
    filters: { ...filters, status, where },
    calls: true,
    window,
    limit: MOST,
    fields: FIELDS,
  });
  return found.map((event) => ({
    eventId: event.event_id,
    traceId: event.trace_id ?? null,
    timestamp: event.timestamp,
    model: event.model ?? null,
    status: event.status,
    errorCode: event.error_code ?? null,
    latencyMs: event.latency_ms ?? null,
    costUsd: event.cost_usd ?? null,
  }));
}

/** What the calls of an example must exceed: the usual latency, if a latency rose. */
function narrowed({ measure, figures }: { measure: RootCauseMeasure; figures: Figures }): string {
  const time = measure.startsWith('latency') ? 'latency' : measure.startsWith('ttft') ? 'ttft' : null;
  if (time === null || (figures.change ?? 0) <= 0) return '';
  const { before } = figures.comparison.totals;
  const usual =
    figures.values?.[0] ?? (before.whole === 0 ? 0 : (before.part / before.whole) * figures.factor);
  return `${time}>${Math.round(usual)}ms`;
}
