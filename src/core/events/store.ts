import type { EffectCall } from '../../db/effects.ts';
import type { JsonText } from '../../lib/json-text.ts';
import type { EventScope, ProjectScope } from '../tenancy/index.ts';
import type { EventBatch, Receipt } from './batch.ts';
import type { EventChanges } from './change.ts';
import type {
  EventPage,
  StoredEvent,
  TraceLine,
  TraceMatches,
  TracePage,
  TraceReply,
  WaterfallReply,
} from './contract.ts';
import type { Contrast, ContrastQuery } from './contrast.ts';
import type { EventDamage } from './damage.ts';
import type { EventDeletion } from './deletion.ts';
import type {
  Ledger,
  LedgerDay,
  LedgerDayQuery,
  LedgerDayState,
  LedgerDaysQuery,
  LedgerQuery,
} from './ledger.ts';
import type { LinkRow, LinksQuery, LinkTimes } from './links.ts';
import type {
  AskedFigures,
  DeletedCalls,
  GroupsAnswer,
  GroupsQuery,
  MetricsAnswers,
  MetricsQueries,
} from './metrics.ts';
import type { RunSeriesQuery } from './query/run-series.ts';
import type { RunsQuery } from './query/runs-query.ts';
import type {
  EventQuery,
  EventsPageQuery,
  FoundEvent,
  FoundUser,
  LinesPageQuery,
  NewestQuery,
  Session,
  SessionEventsQuery,
  SessionPage,
  StoredSpan,
  TagLine,
  TraceSearch,
  UnpricedModels,
  UnpricedQuery,
  UserList,
  UserQuery,
  UsersQuery,
} from './read-queries.ts';
import type { Window } from './selection.ts';
import type { SeriesPart, SeriesQuery } from './series.ts';
import type { EventSubject, SubjectsQuery } from './subject.ts';

/**
 * The reads of events. Replies that can be large and are only forwarded are JSON text, so that the thread that serves
 * HTTP does not parse them.
 */
export type EventReads = {
  /**
   * Computes metrics; every number of the product comes from here. Answers named queries on one snapshot in one round
   * trip; queries over the same calls share one pass. Without `bucket` and `groupBy` an answer is one row.
   * @throws AppError 400 if too many calls would have to be read one by one
   */
  metrics<const Q extends MetricsQueries>(scope: EventScope, queries: Q): Promise<MetricsAnswers<Q>>;
  /**
   * Figures of a window by at most two dimensions and by bucket: the first groups by a measure, the others as one, and all
   * calls.
   * @throws AppError 400 if too many calls would have to be read one by one, or for too many groups
   */
  groups(scope: EventScope, query: GroupsQuery): Promise<GroupsAnswer>;
  /** What retention changed in the figures of some queries. */
  deleted(scope: EventScope, asked: AskedFigures): Promise<DeletedCalls>;
  /**
   * Events, newest first unless an order is given. `total` counts all stored events that match.
   * @throws AppError 400 if too many events would have to be counted or ordered one by one
   */
  events(scope: EventScope, query: EventsPageQuery): Promise<JsonText<EventPage>>;
  /** Like `events` but without the count, for reading page after page. */
  eventsAfter(scope: EventScope, query: EventsPageQuery): Promise<JsonText<Omit<EventPage, 'total'>>>;
  /** Some fields of the newest events, or of the oldest. */
  newest<F extends keyof StoredEvent>(
    scope: EventScope,
    query: NewestQuery<F>,
  ): Promise<Pick<StoredEvent, F>[]>;
  /** One event; null if the scope has none with that id. */
  event(scope: EventScope, query: EventQuery): Promise<FoundEvent | null>;
  /** A trace as a tree of spans, and in columns for the waterfall; null if the scope has none with that id. */
  trace(scope: EventScope, traceId: string): Promise<JsonText<TraceReply> | null>;
  waterfall(scope: EventScope, traceId: string): Promise<JsonText<WaterfallReply> | null>;
  /** What a trace adds up to, with its name, user and session; null if the scope has none with that id. */
  traceLine(scope: EventScope, traceId: string): Promise<TraceLine | null>;
  /** The spans of a trace with a text in their names, errors and content; null if the scope has no such trace. */
  searchTrace(scope: EventScope, query: TraceSearch): Promise<JsonText<TraceMatches> | null>;
  /** Traces, spans and sessions of one project, in the order of the query; null for those that it does not have. */
  subjects(scope: EventScope, query: SubjectsQuery): Promise<(EventSubject | null)[]>;
  /**
   * Traces and sessions with an event of the selection, newest first unless an order is given. Sessions require a
   * scope of one project.
   */
  traces(scope: EventScope, query: LinesPageQuery): Promise<JsonText<TracePage>>;
  sessions(scope: EventScope, query: LinesPageQuery): Promise<JsonText<SessionPage>>;
  /** One session, and its events, oldest first; null if it is unknown. */
  session(scope: EventScope, sessionId: string): Promise<JsonText<Session> | null>;
  sessionEvents(
    scope: EventScope,
    query: SessionEventsQuery,
  ): Promise<JsonText<Omit<EventPage, 'total'>> | null>;
  /** Users of one project, and one of them; null if it is unknown. */
  users(scope: EventScope, query: UsersQuery): Promise<UserList>;
  user(scope: EventScope, query: UserQuery): Promise<FoundUser | null>;
  /** The times of the first day with events and of the newest event. */
  span(scope: EventScope): Promise<StoredSpan>;
  /** The tags of calls on the UTC days of a window, each with its most frequent values. */
  tags(
    scope: EventScope,
    query: { readonly window: Window; readonly values: number },
  ): Promise<readonly TagLine[]>;
  /** Whether a tag's value is, or would be, stored as a distinct value rather than merged into `OTHER`. */
  keepsTagValue(scope: EventScope, query: { readonly tag: string; readonly value: string }): Promise<boolean>;
  /** Models that were called without a price, and when. */
  unpriced(scope: EventScope, query: UnpricedQuery): Promise<UnpricedModels>;
  /**
   * Sums of calls in steps, by the events alone. Only calls count, each once. It reads each event of the ranges, so a
   * caller asks for a day or less at a time.
   */
  series(scope: EventScope, query: SeriesQuery): Promise<JsonText<readonly SeriesPart[]>>;
  /** The calls of a window by model and price, with the cost of each bucket. It reads the window's rows. */
  ledger(scope: EventScope, query: LedgerQuery): Promise<Ledger>;
  /** The state of each day of a range, so that a caller knows which kept days to read again. */
  ledgerDays(scope: ProjectScope, query: LedgerDaysQuery): Promise<readonly LedgerDayState[]>;
  /** The calls of a day by who pays for them, model and price, with the cost of each bucket. It reads the day's rows. */
  ledgerDay(scope: ProjectScope, query: LedgerDayQuery): Promise<LedgerDay>;
  /** What agents and tools call, in whole hours. Every event counts, each call once. */
  links(scope: EventScope, query: LinksQuery): Promise<readonly LinkRow[]>;
  /** When each agent, tool and model was first and last seen. */
  linkTimes(scope: EventScope): Promise<readonly LinkTimes[]>;
  /**
   * Figures of the runs that began in a window, by group and bucket as `groups`. It reads each event of the window.
   * @throws AppError 400 if too many events would have to be read, or for too many groups
   */
  runs(scope: EventScope, query: RunsQuery): Promise<GroupsAnswer>;
  /** Sums of runs in steps, as `series` of calls: each run in the step in which it began, with all of its cost. */
  runSeries(scope: EventScope, query: RunSeriesQuery): Promise<JsonText<readonly SeriesPart[]>>;
  /**
   * Compares the calls of two windows by the values of all dimensions. It reads the windows' rows.
   * @throws AppError 400 if too many calls would have to be read
   */
  contrast(scope: EventScope, query: ContrastQuery): Promise<Contrast>;
};

/**
 * The storage of events behind one asynchronous interface. Nothing else in the product reads or writes event data, so
 * another engine can replace this one. Two rules hold for every store:
 *
 * - Each method takes a checked scope and returns nothing outside of it.
 * - Queries are data. Each store decides how to run them (reader processes, another server).
 *
 * Each call reads one consistent snapshot. Methods reject with an AppError: 400 for an invalid cursor and for a query
 * that would read too much, 503 with `Retry-After` while the store is busy or cannot write.
 */
export type EventStore = EventReads &
  EventChanges &
  EventDamage &
  EventDeletion & {
    /**
     * Stores a batch with its effects, all or nothing; durable when it resolves. An event that is already stored is a
     * duplicate and changes nothing.
     * @param effects writes of other modules in the same transaction, in this order; see `Effect`
     * @throws AppError also the error of an effect that rejects the batch
     */
    record(scope: ProjectScope, batch: EventBatch, effects?: readonly EffectCall[]): Promise<Receipt>;
    /** Whether the store accepts more events: false while too many rows wait for the disk. */
    hasRoom(): boolean;
    /** Stored events that are not in the totals yet. */
    unsealed(): number;
    /** Resolves when a test write has committed. */
    health(): Promise<void>;
  };
