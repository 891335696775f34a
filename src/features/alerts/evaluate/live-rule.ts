import type { Found, Judged } from '../judge/evaluator.ts';
import type { Figure, Step } from '../table.ts';
import type { RuleInput, StoredState } from './round.ts';
import type { Told } from './tell.ts';

/** A rule with what was told of its groups, and what is known and stored of it as a whole. */
export type LiveRule = Judged & {
  readonly input: RuleInput;
  readonly told: Map<string, Told>;
  figure: Figure | null;
  written: StoredState | null;
};

/** What a round found of a group: its former steps from a minute on, and each new one. */
export type Revision = {
  readonly former: readonly Step[];
  readonly found: (Found & { readonly at: number })[];
};
export type Revisions = Map<LiveRule, Map<string, Revision>>;
