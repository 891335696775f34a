import type { Ctx } from '../../../../context.ts';
import { sqlOp } from '../../../../db/sql-op.ts';
import { JsonText } from '../../../../lib/json-text.ts';
import type { EventScope } from '../../../tenancy/index.ts';
import { withTargets } from '../../filter/targets.ts';
import type { MetricsAnswers, MetricsQueries } from '../../metrics.ts';
import type { RunsQuery } from '../../query/runs-query.ts';
import type { EventStore } from '../../store.ts';
import { answerRuns } from '../shared/runs/answer-runs.ts';
import { createChanges } from './changes/change-events.ts';
import { createDeletion } from './deletion/delete-events.ts';
import { type Address, connectEngine } from './engine/connect.ts';
import type { Engine } from './engine/engine.ts';
import { ints, sql } from './engine/sql.ts';
import { readLinks, readLinkTimes } from './links/read-links.ts';
import { readRunSeries, readRuns } from './links/read-runs.ts';
import { answerGroups } from './metrics/answer-groups.ts';
import { answerMetrics } from './metrics/answer-metrics.ts';
import { readContrast } from './metrics/contrast.ts';
import { readTags, readUnpriced } from './metrics/costs.ts';
import { readDeleted } from './metrics/deleted-calls.ts';
import { readLedger, readLedgerDay, readLedgerDays } from './metrics/ledger.ts';
import { readSeries } from './metrics/series.ts';
import { findEvent, listEvents, newestEvents, pageOfEvents, readSpan } from './reads/events.ts';
import { getSession, listSessionEvents, listSessions, listTraces } from './reads/lists.ts';
import { getTrace, getTraceLine, getWaterfall, readSubjects, searchTrace } from './reads/traces.ts';
import { getUser, listUsers } from './reads/users.ts';
import { createLane } from './record/lane.ts';
import { createOutbox } from './record/outbox.ts';
import { createRecorder } from './record/record.ts';
import { createTagValues, keepsTagValue } from './record/tag-values.ts';
import { buildDays } from './rollups/build-days.ts';
import type { BuildDays } from './rollups/build-job.ts';
import { migrateEvents } from './schema/migrate.ts';
import { refuseUnfinishedMove } from './schema/moves.ts';

export type ClickhouseStore = EventStore & { readonly buildDays: BuildDays; close(): Promise<void> };

/** How long a query of a read may take, as in the readers of the database file. */
const READ_DEADLINE_MS = 10_000;
/** How often is looked for what a server that died has left behind. */
const SWEEP_MS = 5_000;

/** The event store on a ClickHouse server. */
export function openClickhouseStore(ctx: Ctx, address: Address): ClickhouseStore {
  const connected = connectEngine(address);
  const outbox = createOutbox(ctx, connected);
  /** The tables are made and what a crash left behind is inserted before anything is read. Tried again after a failure. */
  let prepared: Promise<void> | null = null;
  const prepare = (): Promise<void> => {
    prepared ??= (async () => {
      await migrateEvents(connected);
      await refuseUnfinishedMove(connected);
      // With several servers each inserts what is of the projects whose turn it has.
      if (!ctx.db.isRemote) await outbox.drain(null, []);
      else void sweep();
    })().catch((error: unknown) => {
      prepared = null;
      throw error;
    });
    return prepared;
  };
  const engine: Engine = {
    ...connected,
    read: async (projects, query, deadlineMs) => {
      await prepare();
      return connected.read(projects, query, deadlineMs);
    },
  };
  /** For reads that somebody waits for: the server answers before it gives up the connection. */
  const quick: Engine = {
    ...engine,
    read: (projects, query) => engine.read(projects, query, READ_DEADLINE_MS),
  };
  const tags = createTagValues(engine);
  const lane = createLane({ db: ctx.db, outbox, tags });
  const sweep = (): Promise<void> =>
    lane.sweep().catch((error: unknown) => ctx.log.debug({ err: error }, 'what is left was not inserted'));
  const sweeping = ctx.db.turns === null ? undefined : setInterval(() => void sweep(), SWEEP_MS);
  sweeping?.unref();
  const parts = { engine, outbox, tags, lane };
  const recorder = createRecorder(ctx, parts);

  type Read<I, O> = (engine: Engine, projects: readonly number[], input: I) => Promise<O>;
  const ask =
    <I, O>(read: Read<I, O>) =>
    async ({ projects }: EventScope, input: I): Promise<O> =>
      read(quick, projects, await withTargets(ctx, projects, input));
  const askText =
    <I, O>(read: Read<I, O>) =>
    async (scope: EventScope, input: I): Promise<JsonText<NonNullable<O>>> =>
      new JsonText(JSON.stringify(await ask(read)(scope, input)));
  const find =
    <I, O>(read: Read<I, O | null>) =>
    async (scope: EventScope, input: I): Promise<JsonText<O> | null> => {
      const found = await ask(read)(scope, input);
      return found === null ? null : new JsonText(JSON.stringify(found));
    };

  return {
    ...recorder,
    ...createChanges(ctx, parts),
    ...createDeletion(ctx, parts),
    unsealed: () => 0,
    async health() {
      await ctx.db.writer.write(sqlOp, [{ sql: 'SELECT 1', args: [] }]);
      await quick.read([], sql`SELECT 1`);
    },
    metrics: async <const Q extends MetricsQueries>({ projects }: EventScope, queries: Q) => {
      const asked = await withTargets(ctx, projects, queries);
      const answers: unknown = await answerMetrics(quick, projects, asked);
      return answers as MetricsAnswers<Q>;
    },
    events: askText(listEvents),
    eventsAfter: askText(pageOfEvents),
    newest: async ({ projects }, query) =>
      newestEvents(quick, projects, await withTargets(ctx, projects, query)),
    event: ask(findEvent),
    trace: find(getTrace),
    waterfall: find(getWaterfall),
    traceLine: ask(getTraceLine),
    searchTrace: find(searchTrace),
    subjects: ask(readSubjects),
    traces: askText(listTraces),
    sessions: askText(listSessions),
    session: find(getSession),
    sessionEvents: find(listSessionEvents),
    users: ask(listUsers),
    user: ask(getUser),
    span: ({ projects }) => readSpan(quick, projects),
    tags: ask(readTags),
    keepsTagValue: ask(keepsTagValue),
    unpriced: ask(readUnpriced),
    ledger: ask(readLedger),
    groups: ask(answerGroups),
    deleted: ask(readDeleted),
    series: askText(readSeries),
    ledgerDays: ({ no }, query) => readLedgerDays(quick, no, query),
    ledgerDay: (scope, query) => readLedgerDay(quick, scope, query),
    links: ask(readLinks),
    linkTimes: ({ projects }) => readLinkTimes(quick, projects),
    runs: ask(async (own, projects, query: RunsQuery) =>
      answerRuns(await readRuns(own, projects, query), query),
    ),
    runSeries: askText(readRunSeries),
    contrast: ask(readContrast),
    damage: async () => [],
    checkStored: async (scope) => ({ ...(await readAll(engine, scope.no)), restored: 0 }),
    readStored: async (scope) => ({ ...(await readAll(engine, scope.no)), damaged: [] }),
    giveUp: async () => false,
    buildDays: (project, signal) => buildDays(engine, project, { now: ctx.now(), signal }),
    async close() {
      clearInterval(sweeping);
      await lane.idle();
      await connected.close();
    },
  };
}

/** Reads every column of every row, so that the engine compares its checksums; it fails with what is damaged. */
async function readAll(engine: Engine, project: number): Promise<{ segments: number; batches: number }> {
  const [row] = await engine.read<{ days: number }>(
    [project],
    sql`SELECT uniqExact(intDiv(ts, 86400000)) AS days, sum(cityHash64(*)) AS hash FROM events WHERE project IN ${ints([project])}`,
  );
  return { segments: row?.days ?? 0, batches: 0 };
}
