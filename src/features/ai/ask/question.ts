import type { MetricDimension, MetricsDocument } from '../../../core/events/query/contract.ts';

/** A value that calls of a project have, and how many have it. */
export type Name = { readonly dimension: MetricDimension; readonly value: string; readonly calls: number };

/** A window of time: by name, or epoch milliseconds, inclusive. `end` null is now. */
export type When =
  | { readonly range: NonNullable<MetricsDocument['range']> }
  | { readonly start: number; readonly end: number | null };

/** The query that a question means, and the window that it compares with, if that is not the one just before. */
export type Meaning = {
  readonly query: MetricsDocument;
  readonly baseline: Pick<MetricsDocument, 'range' | 'start' | 'end'> | null;
};

/** What a question is read with. */
export type Reading = {
  readonly names: readonly Name[];
  /** Names of scores, and of tags. */
  readonly scores: readonly string[];
  readonly tags: readonly string[];
  /** Epoch milliseconds. */
  readonly now: number;
  readonly timeZone: string;
  /** What the question before meant, which a follow-up changes. */
  readonly context?: Meaning | undefined;
};

/** What the grammar made of a question. */
export type ReadQuestion = {
  /** Null if something was not understood. */
  readonly meaning: Meaning | null;
  /** What was understood, for people: `cost`, `by model`, `last week`. */
  readonly understood: readonly string[];
  /** Words of the question that no rule used. */
  readonly left: readonly string[];
  /** These, and what the question asks for and no query can say. */
  readonly unknown: readonly string[];
};
