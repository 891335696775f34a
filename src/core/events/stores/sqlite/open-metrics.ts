import type { Ctx } from '../../../../context.ts';
import type { ReadOp } from '../../../../db/reader.ts';
import { type EventScope, ofProject } from '../../../tenancy/index.ts';
import { withTargets } from '../../filter/targets.ts';
import type { MetricsAnswers, MetricsQueries } from '../../metrics.ts';
import type { RunsQuery } from '../../query/runs-query.ts';
import type { EventReads } from '../../store.ts';
import { unpackLedger } from '../shared/ledger/accounts.ts';
import { answerRuns } from '../shared/runs/answer-runs.ts';
import { readContrast } from './contrast/read-contrast.ts';
import { readEvents } from './damage/read-events.ts';
import { isTagValueKept, listTags } from './labels/tags.ts';
import { readLedgerDay, readLedgerDays } from './ledger/read-days.ts';
import { readLedger } from './ledger/read-ledger.ts';
import { readLinks } from './links/read-links.ts';
import { readLinkTimes } from './links/read-times.ts';
import { answerGroups, answerMetrics } from './metrics/answer-metrics.ts';
import { readDeleted } from './metrics/deleted-calls.ts';
import { readUnpricedModels } from './metrics/unpriced-models.ts';
import { readOp } from './read-op.ts';
import { readRunSeries } from './runs/read-run-series.ts';
import { readRuns } from './runs/read-runs.ts';
import { readSeries } from './series/read-series.ts';
import { getUser } from './users/get-user.ts';
import { listUsers } from './users/list-users.ts';

/** Reads of figures. */
type Metrics = Pick<
  EventReads,
  | 'metrics'
  | 'groups'
  | 'deleted'
  | 'series'
  | 'tags'
  | 'keepsTagValue'
  | 'unpriced'
  | 'ledger'
  | 'ledgerDays'
  | 'ledgerDay'
  | 'contrast'
  | 'links'
  | 'linkTimes'
  | 'runs'
  | 'runSeries'
  | 'users'
  | 'user'
>;

const OPS = {
  metrics: readOp('metrics', answerMetrics),
  groups: readOp('groups', answerGroups),
  deleted: readOp('deleted', readDeleted),
  series: readOp('series', readSeries),
  tags: readOp('tags', listTags),
  keepsTagValue: readOp('keeps-tag-value', isTagValueKept),
  unpriced: readOp('unpriced', readUnpricedModels),
  ledger: readOp('ledger', readLedger),
  ledgerDays: readOp('ledger-days', readLedgerDays),
  ledgerDay: readOp('ledger-day', readLedgerDay),
  contrast: readOp('contrast', readContrast),
  links: readOp('links', readLinks),
  linkTimes: readOp('link-times', readLinkTimes),
  runs: readOp('runs', (reader, query: RunsQuery) => answerRuns(readRuns(reader, query), query)),
  runSeries: readOp('run-series', readRunSeries),
  users: readOp('users', listUsers),
  user: readOp('user', getUser),
};

export const metricReads: readonly ReadOp[] = Object.values(OPS);

export function openMetrics(ctx: Ctx): Metrics {
  const ask = async <I, O>(op: ReadOp<I, O>, scope: EventScope, input: I): Promise<O> =>
    (await readEvents(ctx, op, scope, await withTargets(ctx, scope.projects, input))).parse();

  return {
    metrics: async <const Q extends MetricsQueries>(scope: EventScope, queries: Q) => {
      const answers: unknown = await ask(OPS.metrics, scope, queries);
      return answers as MetricsAnswers<Q>;
    },
    groups: (scope, query) => ask(OPS.groups, scope, query),
    deleted: (scope, asked) => ask(OPS.deleted, scope, asked),
    series: (scope, query) => readEvents(ctx, OPS.series, scope, query),
    tags: (scope, query) => ask(OPS.tags, scope, query),
    keepsTagValue: (scope, query) => ask(OPS.keepsTagValue, scope, query),
    unpriced: (scope, query) => ask(OPS.unpriced, scope, query),
    ledger: async (scope, query) => unpackLedger(await ask(OPS.ledger, scope, query)),
    ledgerDays: (scope, query) => ask(OPS.ledgerDays, ofProject(scope), query),
    ledgerDay: async (scope, query) => {
      const day = await ask(OPS.ledgerDay, ofProject(scope), { ...query, projectId: scope.projectId });
      return { ...day, rows: Uint8Array.fromBase64(day.rows) };
    },
    links: (scope, query) => ask(OPS.links, scope, { projects: scope.projects, query }),
    linkTimes: (scope) => ask(OPS.linkTimes, scope, scope.projects),
    runs: (scope, query) => ask(OPS.runs, scope, query),
    runSeries: (scope, query) => readEvents(ctx, OPS.runSeries, scope, query),
    contrast: (scope, query) => ask(OPS.contrast, scope, query),
    users: (scope, query) => ask(OPS.users, scope, query),
    user: (scope, query) => ask(OPS.user, scope, query),
  };
}
