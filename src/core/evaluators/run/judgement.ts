import type { ScoreValue } from '../../scores/values/contract.ts';

/**
 * What an evaluator says of a sample. `skipped`: the sample lacks what it needs, such as an expected output. `failed`: a
 * judge or webhook did not answer; its calls may have cost something. Costs in USD, null if unknown, 0 without a model.
 */
export type Judgement =
  | {
      readonly status: 'scored';
      readonly value: ScoreValue;
      readonly reason: string | null;
      readonly costUsd: number | null;
      /** Event of the judge's last call; null without one. */
      readonly eventId: string | null;
    }
  | { readonly status: 'skipped'; readonly reason: string }
  | {
      readonly status: 'failed';
      readonly reason: string;
      readonly costUsd: number | null;
      readonly eventId: string | null;
    };

export const scored = (value: ScoreValue, reason: string | null = null): Judgement => ({
  status: 'scored',
  value,
  reason,
  costUsd: 0,
  eventId: null,
});

export const skipped = (reason: string): Judgement => ({ status: 'skipped', reason });
