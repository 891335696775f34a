import type { Ctx } from '../../context.ts';
import { parseFilter } from '../../core/events/filter/contract.ts';
import { type Window, windowBefore } from '../../core/events/index.ts';
import { ROOT_CAUSE_MEASURES, type RootCause } from '../../core/root-cause/contract.ts';
import { readRootCause } from '../../core/root-cause/index.ts';
import type { ProjectScope } from '../../core/tenancy/index.ts';
import { FilterSyntaxError, termOf } from '../../lib/filter-terms.ts';
import { isScoreMeasure } from '../../lib/scores/score-measures.ts';
import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import type { Incident } from './state.ts';

type Measure = RootCause['measure'];

/** The window of an incident, from that of its first alert to its end or now: at least an hour, at most a day. */
export function windowOf(
  { alerts, startedAt, resolvedAt }: Pick<Incident, 'alerts' | 'startedAt' | 'resolvedAt'>,
  now: number,
): Window {
  const from = Math.min(
    startedAt - (alerts.length === 0 ? HOUR_MS : 0),
    ...alerts.map(({ windowStart }) => windowStart),
  );
  const to = Math.min(
    Math.max(resolvedAt ?? now, from + HOUR_MS),
    from + DAY_MS,
    Math.max(now, from + 60_000),
  );
  return { from, to };
}

/** Names of dimensions in the filter language, where they differ. */
const FIELDS: Readonly<Record<string, string>> = {
  userId: 'user',
  keyId: 'key',
  errorCode: 'error',
  promptName: 'prompt',
};

/** The calls that an incident concerns, in the filter language; empty for all. */
export function filterOfIncident({ dimensions }: Pick<Incident, 'dimensions'>): string {
  const terms = Object.entries(dimensions).map(([name, value]) => {
    const field = name.startsWith('tag:') ? `tag.${name.slice('tag:'.length)}` : (FIELDS[name] ?? name);
    return value === '' ? `-${field}:*` : termOf(field, value);
  });
  return terms.filter(isUnderstood).join(' ');
}

/** A dimension that the filter language does not know is left out. */
function isUnderstood(term: string): boolean {
  try {
    parseFilter(term);
    return true;
  } catch (error) {
    if (error instanceof FilterSyntaxError) return false;
    throw error;
  }
}

const isExplained = (measure: string | null): measure is Measure =>
  measure !== null && (isScoreMeasure(measure) || ROOT_CAUSE_MEASURES.some((one) => one === measure));

/**
 * By what measures begin with: the one of the same calls that explains them best. Runs are not figures of single calls,
 * and neither are means over some calls only.
 */
const NEAREST: readonly (readonly [start: string, measure: Measure])[] = [
  ['costAvg', 'cost'],
  ['runCost', 'cost'],
  ['runErrorRate', 'errorRate'],
  ['failedRuns', 'errors'],
  ['runLatency', 'latencyAvg'],
  ['runs', 'requests'],
  ['successes', 'requests'],
  ['cancelled', 'requests'],
  ['rateLimited', 'rateLimited'],
  ['unpriced', 'unpriced'],
  ['cache', 'cacheRate'],
  ['inputTokens', 'inputTokens'],
  ['freshTokens', 'inputTokens'],
  ['outputTokens', 'outputTokens'],
  ['reasoningTokens', 'outputTokens'],
  ['tokens', 'inputTokens'],
  ['latency', 'latencyP95'],
  ['ttft', 'ttftP95'],
];

/** The measure that explains what an alert watches: the same if it can be, else the nearest one of the same calls. */
export function explainedMeasure(measure: string | null): Measure {
  if (isExplained(measure)) return measure;
  return NEAREST.find(([start]) => measure?.startsWith(start))?.[1] ?? 'errorRate';
}

/** What an incident is about: enough of it to explain it before it is stored. */
export type About = Pick<Incident, 'alerts' | 'startedAt' | 'resolvedAt' | 'measure' | 'dimensions'>;

/** Explains the change of an incident's measure. */
export async function readIncidentCause(
  ctx: Ctx,
  scope: ProjectScope,
  incident: About,
  measure: Measure | undefined,
): Promise<RootCause> {
  const window = windowOf(incident, ctx.now());
  const filter = filterOfIncident(incident);
  return readRootCause(ctx, scope, {
    measure: measure ?? explainedMeasure(incident.measure),
    window,
    baseline: windowBefore(window),
    filters: filter === '' ? {} : { where: parseFilter(filter) },
  });
}
