import { findDuplicates, isAnswered, type ParsedEvent } from '../../../core/events/index.ts';
import {
  inferProvider,
  normalizeUsage,
  type Pricer,
  providerAt,
  usageExtras,
} from '../../../core/pricing/index.ts';
import { createRedactor } from '../../../lib/redact.ts';
import { DEFAULT_REDACT_KEYS } from '../../../lib/sensitive-keys.ts';
import type { InspectedSpan, InspectReply } from '../contract.ts';
import { isCallKind, kindOf } from '../map/kind-of.ts';
import { linkSpans } from '../map/link-spans.ts';
import { toEvents } from '../map/to-events.ts';
import type { Encoding } from '../read/read-request.ts';
import type { Span, SpanBatch } from '../read/span.ts';
import { explainCost } from './explain-cost.ts';
import { explainCount, explainKind } from './explain-kind.ts';
import { findTwice } from './find-twice.ts';
import { hintsFor } from './hints-for.ts';
import { reportAttributes } from './inspect-span.ts';
import { reportResources } from './report-resources.ts';
import { reportSenders } from './report-senders.ts';
import type { Note } from './why-unused.ts';

/** Most spans and most refused spans in a reply. */
const MAX_DETAILS = 1_000;
const REPEATED = 'A duplicate of an earlier span: it is stored once';

/** A span with its event, sources of fields, position and cost. */
type Inspected = {
  readonly span: Span;
  readonly event: ParsedEvent;
  readonly notes: readonly Note[];
  readonly counted: boolean;
  readonly cost: InspectedSpan['cost'];
};

/**
 * Explains how the spans of a request are read: the same mapping, counting and pricing as when they are recorded,
 * but nothing is stored.
 */
export function inspectRequest(
  { spans, refused }: SpanBatch,
  encoding: Encoding,
  pricer: Pricer,
): InspectReply {
  const notes: Note[][] = spans.map(() => []);
  const heard = spans.map((span, i) => ({
    ...span,
    note: (field: string, source: Note['source']) => void notes[i]?.push({ field, source }),
  }));
  const redact = createRedactor(DEFAULT_REDACT_KEYS);
  const events = toEvents(heard, { redact, storePrompts: false, inferProvider, providerAt });
  const duplicates = findDuplicates(events);
  const repeated = findRepeated(events);
  const all = spans.map((span, i): Inspected => {
    const event = events[i] as ParsedEvent;
    const cost = explainCost(event, priceOf(event, pricer));
    return {
      span,
      event,
      notes: notes[i] ?? [],
      counted: isCallKind(event.kind) && !duplicates.has(i) && !repeated.has(i),
      cost,
    };
  });
  return {
    encoding,
    ...totalsOf(all),
    senders: reportSenders(all),
    resource: reportResources(spans),
    refused: refused.slice(0, MAX_DETAILS).map(({ line, error }) => ({ span: line, error })),
    refused_spans: refused.length,
    details: detailsOf(all),
    truncated: all.length > MAX_DETAILS,
  };
}

/** Positions of duplicate spans: an exporter sent the same ids before. */
function findRepeated(events: readonly ParsedEvent[]): Set<number> {
  const seen = new Set<string>();
  return new Set(
    events.flatMap(({ event_id }, i) => {
      const isNew = !seen.has(event_id);
      seen.add(event_id);
      return isNew ? [] : [i];
    }),
  );
}

function priceOf(event: ParsedEvent, pricer: Pricer): ReturnType<Pricer['priceCall']> | null {
  if (!isCallKind(event.kind) || event.cost_usd !== null) return null;
  const { provider, model, ts, usage, metadata } = event;
  const { buckets } = normalizeUsage(event);
  const extras = usageExtras(usage, metadata);
  return pricer.priceCall({ provider, model, ts, buckets, extras, answered: isAnswered(event.status) });
}

const hintsForTwice = (other: number | undefined): string[] =>
  other === undefined
    ? []
    : [
        `Counts twice: span ${other + 1} reports the same reply, and neither is inside the other; enable one of the two instrumentations`,
      ];

type Totals = Omit<
  InspectReply,
  'encoding' | 'senders' | 'resource' | 'refused' | 'refused_spans' | 'details' | 'truncated'
>;

function totalsOf(all: readonly Inspected[]): Totals {
  const counted = all.filter((one) => one.counted);
  const sum = (of: (one: Inspected) => number): number => counted.reduce((total, one) => total + of(one), 0);
  return {
    spans: all.length,
    calls: all.filter(({ event }) => isCallKind(event.kind)).length,
    counted: counted.length,
    input_tokens: sum(({ event }) => event.input_tokens),
    output_tokens: sum(({ event }) => event.output_tokens),
    cost_usd: Math.round(sum(({ cost }) => (cost.usd ?? 0) * 1e9)) / 1e9,
    unpriced: counted.filter(({ cost }) => cost.usd === null).length,
  };
}

function detailsOf(all: readonly Inspected[]): InspectedSpan[] {
  const links = linkSpans(all.map(({ event }) => event));
  const repeated = findRepeated(all.map(({ event }) => event));
  const countable = all.map(({ event, counted }) => ({
    operation: event.operation,
    isCall: isCallKind(event.kind),
    counted,
  }));
  const twice = findTwice(all);
  return all.slice(0, MAX_DETAILS).map(({ span, event, notes, counted, cost }, i) => {
    const attributes = reportAttributes(span, event, notes);
    const uncounted = repeated.has(i) ? REPEATED : explainCount(i, countable, links);
    const kind = kindOf(span);
    return {
      span: i + 1,
      trace_id: event.trace_id,
      span_id: event.span_id,
      parent_span_id: event.parent_span_id,
      name: event.operation,
      sender: event.sdk_version,
      kind: event.kind,
      is_call: isCallKind(event.kind),
      counted,
      why: [explainKind(span, kind), ...(uncounted === null ? [] : [uncounted])],
      status: event.status,
      ...attributes,
      cost,
      hints: [
        ...hintsFor(
          span,
          event,
          attributes.unused.map(({ name }) => name),
        ),
        ...hintsForTwice(twice.get(i)),
      ],
    };
  });
}
