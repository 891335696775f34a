import type { EventKind } from '../../core/events/contract.ts';
import type { EventInput } from '../../core/events/input/contract.ts';
import { SDK_NAME_AND_VERSION } from '../../sdk/version.ts';
import type { Failure } from './faults.ts';
import { type DemoUser, pickEnvironment } from './people.ts';
import type { Random } from './random.ts';
import { releaseAt } from './story.ts';

/** An event with its time in epoch milliseconds, for sorting without parsing. */
export type TimedEvent = { readonly at: number; readonly event: EventInput };

/** A trace under construction. Spans advance `at`, so that children are always within their parents. */
export type Run = {
  readonly random: Random;
  readonly now: number;
  readonly environment: string;
  /** Fields of every event of the trace. */
  readonly shared: EventInput;
  readonly events: TimedEvent[];
  /** True if nothing may fail: the last calls before `now`. */
  readonly calm: boolean;
  at: number;
};

/** Start time of a workload, and its source of randomness. */
export type Start = {
  readonly random: Random;
  readonly now: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** True if nothing may fail. */
  readonly calm?: boolean;
};

/** Options of a workload for a trace. */
export type RunOptions = Start & {
  readonly team: string;
  readonly feature: string;
  readonly environment?: string;
  readonly user?: DemoUser;
  readonly sessionId?: string;
};

/** The place of a span: its parent and its agent. */
export type Place = { readonly parent?: string; readonly agent?: string };

/** Kind and name of a span. */
export type SpanFields = {
  readonly kind: EventKind;
  readonly name: string;
  readonly operation: string;
  readonly tool?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
};

/** Opens a trace: draws its id and the fields that its events share. */
export function openRun(options: RunOptions): Run {
  const { random, now, at, team, feature, user, sessionId } = options;
  const environment = options.environment ?? pickEnvironment(random);
  const shared: EventInput = {
    trace_id: random.hex(32),
    environment,
    release: releaseAt(now, at, environment),
    sdk_version: SDK_NAME_AND_VERSION,
    tags: { team, feature },
    ...(user && { user_id: user.id, metadata: { region: user.region, plan: user.plan } }),
    ...(sessionId !== undefined && { session_id: sessionId }),
  };
  return { random, now, environment, shared, events: [], calm: options.calm ?? false, at: Math.round(at) };
}

/** Adds an event that starts at `run.at` and takes `latencyMs`, and moves the clock to its end. */
export function addEvent(run: Run, place: Place, event: EventInput & { readonly latency_ms: number }): void {
  push(run, place, event, run.random.hex(16));
  run.at += event.latency_ms;
}

/**
 * Adds a span around `body`. Spans that `body` adds become its children, and it lasts until the last of them ends. The
 * return value of `body` is the span's own failure.
 */
export function addSpan(
  run: Run,
  place: Place,
  fields: SpanFields,
  body: (inside: Place) => Failure | undefined,
): Failure | undefined {
  const { random } = run;
  const spanId = random.hex(16);
  const start = run.at;
  const agent = fields.kind === 'agent' ? fields.name : place.agent;
  const here = { ...place, ...(agent !== undefined && { agent }) };
  const event = push(run, here, { ...fields, ...mergeMetadata(run, fields) }, spanId);
  run.at += random.int(1, 6);
  const failure = body({ ...here, parent: spanId });
  run.at += random.int(1, 8);
  Object.assign(event, { latency_ms: run.at - start, status: 'success' }, failure);
  return failure;
}

/** Adds a span without children that takes about `medianMs` and fails with the given probability. */
export function addLeaf(
  run: Run,
  place: Place,
  leaf: SpanFields & {
    readonly medianMs: number;
    readonly failure?: Failure;
    readonly failureRate?: number;
  },
): Failure | undefined {
  const { medianMs, failure, failureRate = 0, ...fields } = leaf;
  const failed = !run.calm && run.random.chance(failureRate) ? failure : undefined;
  addEvent(run, place, {
    ...fields,
    ...mergeMetadata(run, fields),
    latency_ms: Math.max(1, Math.round(run.random.logNormal(medianMs, 0.5))),
    status: 'success',
    ...failed,
  });
  return failed;
}

function push(run: Run, place: Place, event: EventInput, spanId: string): EventInput {
  const full: EventInput = {
    event_id: run.random.uuid(),
    timestamp: new Date(run.at).toISOString(),
    span_id: spanId,
    ...(place.parent !== undefined && { parent_span_id: place.parent }),
    ...(place.agent !== undefined && { agent: place.agent }),
    ...run.shared,
    ...event,
  };
  run.events.push({ at: run.at, event: full });
  return full;
}

function mergeMetadata(run: Run, fields: SpanFields): EventInput {
  return fields.metadata === undefined ? {} : { metadata: { ...run.shared.metadata, ...fields.metadata } };
}
