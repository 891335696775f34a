import type { AppliedPrice, UsageBuckets } from '../pricing/index.ts';
import type { EventSums, StoredEvent, TraceLine } from './contract.ts';
import type { EventSort, LineSort, Order } from './order/contract.ts';
import type { EventFilters, Selection, Window } from './selection.ts';

/** Selects a page of events, or of the traces or sessions that contain such events. */
export type PageQuery = Selection & {
  readonly window: Window;
  /** `nextCursor` of the previous page; null for the first page. */
  readonly cursor: string | null;
  /** Maximum number of entries per page. */
  readonly limit: number;
};

/** Pages in an order; newest first without one. */
export type EventsPageQuery = PageQuery & { readonly order?: Order<EventSort> | undefined };
export type LinesPageQuery = PageQuery & { readonly order?: Order<LineSort> | undefined };

/** Selects some fields of the newest events, or of the oldest, each first in its order. */
export type NewestQuery<F extends keyof StoredEvent> = Omit<PageQuery, 'cursor'> & {
  readonly fields: readonly F[];
  /** Default: `newest`. */
  readonly order?: 'newest' | 'oldest';
};

/** Selects the spans of a trace that have a text, in either case of letters. */
export type TraceSearch = { readonly traceId: string; readonly text: string };

/** Selects an event by id. Its time in epoch milliseconds avoids a search if the id does not begin with it. */
export type EventQuery = { readonly id: string; readonly ts: number | null };

/** A stored event with the components of its cost. */
export type FoundEvent = {
  readonly event: StoredEvent;
  readonly isCall: boolean;
  readonly buckets: UsageBuckets;
  readonly costNano: number | null;
  /** The applied price; null if there was none or it was not stored. */
  readonly price: AppliedPrice | null;
};

/** A session with the sums of its events. `traces` is their number; `user_id` is one of its users, if any. */
export type SessionLine = EventSums & {
  readonly session_id: string;
  readonly user_id: string | null;
  readonly traces: number;
};
export type SessionPage = { readonly sessions: SessionLine[]; readonly nextCursor: string | null };

/** A session with its traces by start time; `truncated` if it has more than listed. */
export type Session = {
  readonly session: SessionLine;
  readonly traces: TraceLine[];
  readonly truncated: boolean;
};

/** Selects a page of a session's events: all, or those with a text in their names, errors or content. */
export type SessionEventsQuery = Omit<PageQuery, 'inSession' | 'window'> & {
  readonly sessionId: string;
  readonly text?: string;
};

/**
 * Sums of a user's events. `events` counts all kinds, the other sums cover calls; cost in nano-dollars; `first` and
 * `last` event in epoch milliseconds.
 */
export type UserFigures = Readonly<
  Record<
    | 'events'
    | 'requests'
    | 'errors'
    | 'unpriced'
    | 'cost_nano'
    | 'input_tokens'
    | 'output_tokens'
    | 'cache_read_tokens'
    | 'first'
    | 'last',
    number
  >
>;

export type UserSort = 'cost' | 'requests' | 'errors' | 'errorRate' | 'input' | 'output' | 'lastSeen';

/** Selects a page of a project's users. */
export type UsersQuery = {
  /** Whole UTC days. */
  readonly window: Window;
  readonly filters: EventFilters;
  /** Prefix of their ids; '' for any. */
  readonly search: string;
  readonly sort: UserSort;
  /** Largest or latest first. */
  readonly desc: boolean;
  readonly cursor: string | null;
  readonly limit: number;
};

export type UserList = {
  /** `firstSeen`: the first event of all time, in epoch milliseconds. */
  readonly users: readonly {
    readonly userId: string;
    readonly figures: UserFigures;
    readonly firstSeen: number;
  }[];
  readonly nextCursor: string | null;
  /** Over all pages. */
  readonly total: number;
};

/** Selects one user in whole UTC days, optionally in one environment. */
export type UserQuery = {
  readonly userId: string;
  readonly window: Window;
  readonly environment?: string | undefined;
};

/** Sums of a day on which a user has events. `day` is in days since the epoch. */
export type UserDay = { readonly day: number; readonly figures: UserFigures };

/**
 * `first` and `last` event over all time and environments, in epoch milliseconds; the days of the window and
 * environment, ascending, and their sums.
 */
export type FoundUser = {
  readonly first: number;
  readonly last: number;
  readonly figures: Omit<UserFigures, 'first' | 'last'>;
  readonly days: readonly UserDay[];
};

/** `firstDay`: start of the first UTC day with events; `newest`: the newest stored event. Epoch milliseconds. */
export type StoredSpan = { readonly firstDay: number | null; readonly newest: number | null };

/** A tag of the calls of some days: the number of calls with it, its number of values, and the most frequent ones. */
export type TagLine = {
  readonly name: string;
  readonly calls: number;
  readonly count: number;
  readonly values: readonly string[];
};

/** Selects models that were called without a price in a window: the `limit` models with the most such calls. */
export type UnpricedQuery = {
  readonly window: Window;
  readonly filters?: EventFilters;
  readonly limit: number;
};

/** A model that was called without a price, with the first and last such call in epoch milliseconds. */
export type UnpricedModel = {
  readonly provider: string | null;
  readonly model: string | null;
  readonly requests: number;
  readonly unpriced: number;
  readonly unpricedInputTokens: number;
  readonly unpricedOutputTokens: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
};

/** Sums over all models, including those not listed. */
export type UnpricedModels = {
  readonly models: readonly UnpricedModel[];
  readonly unpriced: number;
  readonly requests: number;
};
