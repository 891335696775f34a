import type { EffectCall } from '../../db/effects.ts';
import type { JsonText } from '../../http/reply.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import type { EventBatch, Receipt } from './batch.ts';
import type { EventChanges } from './change.ts';
import type { EventPage, StoredEvent, TracePage, TraceReply, WaterfallReply } from './contract.ts';
import type { EventDeletion } from './deletion.ts';
import type { Ledger, LedgerQuery } from './ledger.ts';
import type { MetricsAnswers, MetricsQueries } from './metrics.ts';
import type {
  EventQuery,
  FoundEvent,
  FoundUser,
  NewestQuery,
  PageQuery,
  Session,
  SessionEventsQuery,
  SessionPage,
  StoredSpan,
  TagLine,
  UnpricedModels,
  UnpricedQuery,
  UserList,
  UserQuery,
  UsersQuery,
} from './read-queries.ts';
import type { Window } from './selection.ts';

/** Whose events: those of projects, by their numbers, that the caller was proved to be allowed to see. */
export type EventScope = { readonly projects: readonly number[] };

/**
 * The reads of events. What may be large and is only passed on comes as JSON text, so that the thread that
 * answers HTTP does not parse it.
 */
export type EventReads = {
  /**
   * The only way to a number. Answers questions by name, on one snapshot and in one round trip; what is asked
   * of the same calls is read in one pass. Without `bucket` and `groupBy` an answer is one row.
   * @throws AppError 400 for filters with a key or tag, and where too many calls would be read one by one
   */
  metrics<const Q extends MetricsQueries>(scope: EventScope, queries: Q): Promise<MetricsAnswers<Q>>;
  /**
   * Events, newest first. `total` counts all that match and are stored.
   * @throws AppError 400 where too many events would be counted one by one
   */
  events(scope: EventScope, query: PageQuery): Promise<JsonText<EventPage>>;
  /** The same without the count, for who reads one page after the other. */
  eventsAfter(scope: EventScope, query: PageQuery): Promise<JsonText<Omit<EventPage, 'total'>>>;
  /** Some fields of the newest events. */
  newest<F extends keyof StoredEvent>(
    scope: EventScope,
    query: NewestQuery<F>,
  ): Promise<Pick<StoredEvent, F>[]>;
  /** One event, null where the scope has none. */
  event(scope: EventScope, query: EventQuery): Promise<FoundEvent | null>;
  /** A trace as a tree of spans, and what drawing it needs, in columns; null where the scope has none. */
  trace(scope: EventScope, traceId: string): Promise<JsonText<TraceReply> | null>;
  waterfall(scope: EventScope, traceId: string): Promise<JsonText<WaterfallReply> | null>;
  /** Traces and sessions that have an event of the selection, newest first. Sessions: of one project. */
  traces(scope: EventScope, query: PageQuery): Promise<JsonText<TracePage>>;
  sessions(scope: EventScope, query: PageQuery): Promise<JsonText<SessionPage>>;
  /** One session, and its events, oldest first; null for one that was never seen. */
  session(scope: EventScope, sessionId: string): Promise<JsonText<Session> | null>;
  sessionEvents(
    scope: EventScope,
    query: SessionEventsQuery,
  ): Promise<JsonText<Omit<EventPage, 'total'>> | null>;
  /** Users of one project, and one of them; null for one that was never seen. */
  users(scope: EventScope, query: UsersQuery): Promise<UserList>;
  user(scope: EventScope, query: UserQuery): Promise<FoundUser | null>;
  /** From when to when there are events. */
  span(scope: EventScope): Promise<StoredSpan>;
  /** The tags of calls on the UTC days that a window touches, each with its most frequent values. */
  tags(
    scope: EventScope,
    query: { readonly window: Window; readonly values: number },
  ): Promise<readonly TagLine[]>;
  /** Whether calls with a value of a tag are, or would be, told apart from others. */
  keepsTagValue(scope: EventScope, query: { readonly tag: string; readonly value: string }): Promise<boolean>;
  /** Which models were called without a price, and when. */
  unpriced(scope: EventScope, query: UnpricedQuery): Promise<UnpricedModels>;
  /** The calls of a window by model and price, with the amount of each bucket. It reads the window's rows. */
  ledger(scope: EventScope, query: LedgerQuery): Promise<Ledger>;
};

/**
 * Where events are kept, behind one asynchronous interface: nothing else in the product reads or writes event
 * data, so that another engine can take the place of this one. Two rules hold for every store:
 *
 * - Each method takes a scope whose caller was checked, and shows nothing outside of it.
 * - Queries are data. How a store runs them (reader processes, another server) is its own business.
 *
 * Each call reads one consistent snapshot. Methods reject with an AppError: 400 for a cursor that was not given
 * out and for a question that would read too much, 503 with `Retry-After` while the store is busy or can't write.
 */
export type EventStore = EventReads &
  EventChanges &
  EventDeletion & {
    /**
     * Stores a batch with its effects, all or nothing; durable when it resolves. An event that the store has
     * already is a duplicate and changes nothing.
     * @param effects what other modules write in the same transaction, in this order; see `Effect`
     * @throws AppError also with what an effect refuses the batch with
     */
    record(scope: ProjectScope, batch: EventBatch, effects?: readonly EffectCall[]): Promise<Receipt>;
    /** Whether the store has room for more: false while what was handed over is too far ahead of the disk. */
    hasRoom(): boolean;
    /** Resolves once the store has proved that it can commit. */
    health(): Promise<void>;
  };
