import type { CostStatus, EventKind, EventStatus } from './contract.ts';
import type { Condition } from './filter/contract.ts';

/** Epoch milliseconds, half-open: `from` ≤ ts < `to`. */
export type Window = { readonly from: number; readonly to: number };

/** Filters of events. An absent filter matches all. */
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
  /** Calls with this cost status. */
  readonly costStatus?: CostStatus | undefined;
  /** Id of the project key that sent them, and `NAME=VALUE` of a tag. */
  readonly keyId?: string | undefined;
  readonly tag?: string | undefined;
  /** Conditions of the filter language; all must hold. Undefined without any. */
  readonly where?: readonly Condition[] | undefined;
};

/** The events of a read. `calls`: only those that count as one call. */
export type Selection = {
  readonly filters: EventFilters;
  readonly calls: boolean;
  /** Beside the calls also events of guardrails. */
  readonly guardrails?: boolean;
  /** Only events that belong to a session. */
  readonly inSession?: true;
};

/** Statuses that count in `errorRate`; a cancelled call is not a failure. */
export const FAILED_STATUSES = ['error', 'timeout', 'rate_limited'] as const satisfies EventStatus[];
