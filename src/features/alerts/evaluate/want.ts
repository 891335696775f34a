import type { Span, StepLength } from '../judge/minutes.ts';
import type { ShapeQuery } from '../judge/shape-query.ts';
import type { RoundInput, RoundOutcome } from './round.ts';

/** What the evaluation wants next. */
export type Want =
  | { readonly kind: 'read'; readonly query: ShapeQuery }
  | { readonly kind: 'marks'; readonly of: Marked; readonly spans: readonly MarkSpan[] }
  | { readonly kind: 'pause' }
  | { readonly kind: 'done'; readonly outcome: RoundOutcome };
/** What it is given. */
export type Given =
  | { readonly kind: 'go' }
  | { readonly kind: 'series'; readonly text: string }
  | { readonly kind: 'marks'; readonly marks: readonly SpanMark[] }
  | { readonly kind: 'round'; readonly input: RoundInput };

/** What is marked: all calls, all runs, or the scores of some names. */
export type Marked =
  | { readonly of: 'calls' | 'runs' }
  | { readonly of: 'scores'; readonly names: readonly string[] };

/** Whole steps to mark. Calls are marked in hours and days only. */
export type MarkSpan = Span & { readonly step: StepLength };

/** A fingerprint of all calls, runs or scores of a step with some. `from` and `to` are minutes since 1970. */
export type SpanMark = Span & { readonly print: string };

export type Steps<R> = Generator<Want, R, Given>;
