import type { ParsedEvent } from '../../../core/events/index.ts';
import type { Span } from '../read/span.ts';
import { isCallKind } from './kind-of.ts';

/** Instrumentations whose span is not the active one while the call runs, and those whose spans belong below it. */
const LAYERS: readonly { readonly upper: RegExp; readonly lower: RegExp }[] = [
  { upper: /instrumentation-langchain$/, lower: /^(?!.*langchain)/ },
  {
    upper: /^@arizeai\/openinference-instrumentation-anthropic$/,
    lower: /^com\.anthropic\.sdk\.typescript$/,
  },
];
/** Clocks of two instrumentations in a process differ so much, in nanoseconds. */
const SLACK = 3_000_000n;
/** Most calls at a time that a call is compared with. */
const MOST_OPEN = 64;

type Call = { readonly span: Span; readonly place: number; hasAnswer: boolean };

/**
 * Puts the call that a provider's client reports below that of the framework which made it, so that it counts once. Both
 * have the same span above them, because the framework's instrumentation only follows its callbacks. They end together,
 * so that they come in one request. Each call gets one answer at most: another one in its time was made by itself.
 */
export function adoptCalls(spans: readonly Span[], events: ParsedEvent[]): void {
  for (const { upper, lower } of LAYERS) {
    if (!spans.some(({ scope }) => upper.test(scope.name))) continue;
    const calls = spans
      .map((span, place): Call => ({ span, place, hasAnswer: false }))
      .filter(({ place }) => isCallKind(events[place]?.kind ?? 'span'))
      .sort((a, b) => Number(a.span.start - b.span.start) || orderOf(a, upper) - orderOf(b, upper));
    let open: Call[] = [];
    for (const call of calls) {
      open = open.filter(({ span }) => (span.end ?? 0n) + SLACK >= call.span.start).slice(-MOST_OPEN);
      if (upper.test(call.span.scope.name)) open.push(call);
      else if (lower.test(call.span.scope.name)) adopt(call, open, events);
    }
  }
}

const orderOf = ({ span }: Call, upper: RegExp): number => (upper.test(span.scope.name) ? 0 : 1);

function adopt({ span, place }: Call, open: readonly Call[], events: ParsedEvent[]): void {
  const event = events[place];
  if (event === undefined) return;
  const answered = event.status === 'success';
  const above = open.findLast(
    (call) =>
      call.span.traceId === span.traceId &&
      !(answered && call.hasAnswer) &&
      (span.end ?? span.start) <= (call.span.end ?? 0n) + SLACK &&
      isSameModel(events[call.place]?.model ?? null, event.model),
  );
  if (above === undefined || span.parentSpanId === above.span.spanId) return;
  above.hasAnswer ||= answered;
  events[place] = { ...event, parent_span_id: above.span.spanId };
}

/** The reply's name of a model continues the request's: `gpt-4o-2024-08-06`. */
const isSameModel = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && (one.startsWith(other) || other.startsWith(one));
