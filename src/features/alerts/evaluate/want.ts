import type { SeriesQuery } from '../../../core/events/index.ts';
import type { Span } from '../judge/minutes.ts';
import type { RoundInput, RoundOutcome } from './round.ts';

/** What the evaluation wants next. */
export type Want =
  | { readonly kind: 'read'; readonly query: SeriesQuery }
  | { readonly kind: 'older'; readonly spans: OlderSpans }
  | { readonly kind: 'pause' }
  | { readonly kind: 'done'; readonly outcome: RoundOutcome };
/** What it is given. */
export type Given =
  | { readonly kind: 'go' }
  | { readonly kind: 'series'; readonly text: string }
  | { readonly kind: 'older'; readonly marks: readonly OlderMark[] }
  | { readonly kind: 'round'; readonly input: RoundInput };

/** Whole days, and whole hours of the newest of them and later. */
export type OlderSpans = { readonly days: Span; readonly hours: Span };

/** A fingerprint of all calls of a day or an hour with some. `from` and `to` are minutes since 1970. */
export type OlderMark = Span & { readonly print: string };

export type Steps<R> = Generator<Want, R, Given>;
