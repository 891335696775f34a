import type { AppliedPrice, UsageBuckets } from '../pricing/index.ts';
import type { EventSums, StoredEvent, TraceLine } from './contract.ts';
import type { EventFilters, Selection, Window } from './selection.ts';

/** Which page of which events, or of the traces or sessions that have such events. */
export type PageQuery = Selection & {
  readonly window: Window;
  /** The `nextCursor` of the page before; null for the first. */
  readonly cursor: string | null;
  /** Most entries of the page. */
  readonly limit: number;
};

/** The newest events of a selection, of each some fields. */
export type NewestQuery<F extends keyof StoredEvent> = Omit<PageQuery, 'cursor'> & {
  readonly fields: readonly F[];
};

/** An event by its id; its time, epoch milliseconds, spares the search for ids that do not begin with theirs. */
export type EventQuery = { readonly id: string; readonly ts: number | null };

/** A stored event with what its cost was made of. */
export type FoundEvent = {
  readonly event: StoredEvent;
  readonly isCall: boolean;
  readonly buckets: UsageBuckets;
  readonly costNano: number | null;
  /** The price by which it was priced; null where there was none, or none was kept. */
  readonly price: AppliedPrice | null;
};

/** A session with the sums of its events. `traces`: how many it has; `user_id`: one of its users, if any. */
export type SessionLine = EventSums & {
  readonly session_id: string;
  readonly user_id: string | null;
  readonly traces: number;
};
export type SessionPage = { readonly sessions: SessionLine[]; readonly nextCursor: string | null };

/** A session with its traces in the order of their start; `truncated`: it has more than are listed. */
export type Session = {
  readonly session: SessionLine;
  readonly traces: TraceLine[];
  readonly truncated: boolean;
};

/** Which page of which events of a session. */
export type SessionEventsQuery = Omit<PageQuery, 'inSession' | 'window'> & { readonly sessionId: string };

/**
 * What the events of a user add up to. `events` are of any kind, the others of the calls; cost in
 * nano-dollars; `first` and `last` event in epoch milliseconds.
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

export type UserSort = 'cost' | 'requests' | 'errors' | 'lastSeen';

/** Which page of the users of a project. */
export type UsersQuery = {
  /** Whole UTC days. */
  readonly window: Window;
  readonly filters: EventFilters;
  /** How their ids begin; '' for any. */
  readonly search: string;
  readonly sort: UserSort;
  readonly cursor: string | null;
  readonly limit: number;
};

export type UserList = {
  readonly users: readonly { readonly userId: string; readonly figures: UserFigures }[];
  readonly nextCursor: string | null;
  /** Over all pages. */
  readonly total: number;
};

/** One user, in whole UTC days, and of one environment, if of one. */
export type UserQuery = {
  readonly userId: string;
  readonly window: Window;
  readonly environment?: string | undefined;
};

/** A day on which a user has events. `day`: days since the epoch. */
export type UserDay = { readonly day: number; readonly figures: UserFigures };

/**
 * `first` and `last` event of all time and environments, epoch milliseconds; the days of the window and the
 * environment, ascending, and what they add up to.
 */
export type FoundUser = {
  readonly first: number;
  readonly last: number;
  readonly figures: Omit<UserFigures, 'first' | 'last'>;
  readonly days: readonly UserDay[];
};

/** `firstDay`: start of the first UTC day with events; `newest`: the newest stored event. Epoch milliseconds. */
export type StoredSpan = { readonly firstDay: number | null; readonly newest: number | null };

/** A tag of the calls of some days: how many of them have it, how many values, and the most frequent. */
export type TagLine = {
  readonly name: string;
  readonly calls: number;
  readonly count: number;
  readonly values: readonly string[];
};

/** Models of a window that were called without a price: the `limit` with most such calls. */
export type UnpricedQuery = { readonly window: Window; readonly limit: number };

/** A model that was called without a price, and when so for the first and last time: epoch milliseconds. */
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

/** Over all models, listed or not. */
export type UnpricedModels = {
  readonly models: readonly UnpricedModel[];
  readonly unpriced: number;
  readonly requests: number;
};
