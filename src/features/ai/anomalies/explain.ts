import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { filterText, parseFilter } from '../../../core/events/filter/contract.ts';
import { type EventFilters, eventsOf, type Window } from '../../../core/events/index.ts';
import type { RootCause } from '../../../core/root-cause/contract.ts';
import { readRootCause } from '../../../core/root-cause/index.ts';
import { ofProject, type ProjectScope } from '../../../core/tenancy/index.ts';
import { badRequest } from '../../../errors.ts';
import { DAY_MS, HOUR_MS } from '../../../lib/time.ts';
import { ANOMALY_MEASURES } from './contract.ts';

const subjectSchema = z.tuple([
  z.enum(ANOMALY_MEASURES),
  z.int().min(0).max(2e6),
  z.int().min(0).max(2e6),
  filterText,
]);

type Subject = { readonly measure: RootCause['measure']; readonly window: Window; readonly filter: string };

/** What an id of an anomaly says. @throws AppError 400 for a text that is none */
export function parseAnomalyId(id: string): Subject {
  const parsed = subjectSchema.safeParse(jsonOf(Buffer.from(id, 'base64url').toString('utf8')));
  const [measure, start, end, filter] = parsed.data ?? ['cost', 0, 0, ''];
  if (end <= start) throw badRequest('anomalyId: is no id of an anomaly; GET /v1/ai/anomalies lists them');
  return { measure, window: { from: start * HOUR_MS, to: end * HOUR_MS }, filter };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Explains what happened in a window: beside the same time a week earlier, or without calls then, the time just before. */
export async function explain(
  ctx: Ctx,
  scope: ProjectScope,
  { measure, window, filter }: Subject,
): Promise<RootCause> {
  const where = parseFilter(filter);
  const filters: EventFilters = where.length === 0 ? {} : { where };
  const weekBefore = { from: window.from - 7 * DAY_MS, to: window.to - 7 * DAY_MS };
  const { rows } = await eventsOf(ctx).metrics(ofProject(scope), {
    rows: { measures: ['requests'], filters, window: weekBefore },
  });
  const had = rows.some(({ requests }) => requests > 0);
  const length = window.to - window.from;
  const baseline = had ? weekBefore : { from: window.from - length, to: window.from };
  return readRootCause(ctx, scope, { measure, window, baseline, filters });
}
