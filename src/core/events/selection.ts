import type { CostStatus, EventKind, EventStatus } from './contract.ts';

/** Epoch milliseconds, half-open: `from` ≤ ts < `to`. */
export type Window = { readonly from: number; readonly to: number };

/** What events must be like. Absent means any. */
export type EventFilters = {
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly environment?: string | undefined;
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly kind?: EventKind | undefined;
  /** Failed events of one error group: by code, or by status where they have no code. */
  readonly errorCode?: string | undefined;
  /** One status or any of several. */
  readonly status?: EventStatus | readonly EventStatus[] | undefined;
  /** Calls of which it is known so. */
  readonly costStatus?: CostStatus | undefined;
  /** The project key with which they came, and `NAME=VALUE` of a tag: `withLabels` looks up what they mean. */
  readonly keyId?: string | undefined;
  readonly tag?: string | undefined;
  /** Numbers of labels, one of which they have. */
  readonly labels?: readonly number[] | undefined;
};

/** Which events a read is about. `calls`: only those that count as one call. */
export type Selection = {
  readonly filters: EventFilters;
  readonly calls: boolean;
  /** Only events that belong to a session. */
  readonly inSession?: true;
};

/** Statuses that count in `errorRate`: a cancelled call did not fail. */
export const FAILED_STATUSES = ['error', 'timeout', 'rate_limited'] as const satisfies EventStatus[];
