import type { ParsedEvent } from '../../core/events/index.ts';
import { inferProvider, providerAt } from '../../core/pricing/index.ts';
import type { OfferedTool } from '../../core/tool-schemas/index.ts';
import type { Work } from '../../http/work/work.ts';
import { createRedactor, type Redactor } from '../../lib/redact.ts';
import { DEFAULT_REDACT_KEYS } from '../../lib/sensitive-keys.ts';
import { readTools } from './map/read-tools.ts';
import { toEvents } from './map/to-events.ts';
import { type Encoding, readRequest } from './read/read-request.ts';
import type { RefusedSpan } from './read/span.ts';

/** A decompressed request. `now` is the time of receipt in epoch milliseconds. */
export type SentSpans = {
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
  readonly now: number;
  /** Keys whose values are redacted. */
  readonly redactKeys: readonly string[];
  readonly storePrompts: boolean;
  /** Whether content stays in the events though it is not stored. */
  readonly passesContent?: boolean;
};

/** Events of a request, in parts of at most `PART_EVENTS`; the first part has all refused spans. */
export type EventPart = {
  readonly events: readonly ParsedEvent[];
  readonly refused: readonly RefusedSpan[];
  /** The tools that its calls were offered; those of a request are in its first part. */
  readonly tools: readonly OfferedTool[];
};

/** Pricing and encoding this many events takes a few milliseconds. */
const PART_EVENTS = 200;

/** Throws like `readRequest`. */
export function* readEvents(
  { bytes, encoding, now, storePrompts, passesContent = false }: Omit<SentSpans, 'redactKeys'>,
  redact: Redactor,
): Generator<EventPart, void> {
  const { spans, refused } = readRequest(bytes, encoding, now);
  const events = toEvents(spans, { redact, storePrompts, passesContent, inferProvider, providerAt });
  yield { events: events.slice(0, PART_EVENTS), refused, tools: readTools(spans) };
  for (let at = PART_EVENTS; at < events.length; at += PART_EVENTS)
    yield { events: events.slice(at, at + PART_EVENTS), refused: [], tools: [] };
}

/** `readEvents` as work, for large requests: decoding and mapping takes 0.1 s per megabyte. */
export const readEventsWork: Work<SentSpans, EventPart> = {
  name: 'otel.read',
  run: ({ redactKeys, ...sent }) => readEvents(sent, createRedactor([...DEFAULT_REDACT_KEYS, ...redactKeys])),
};
