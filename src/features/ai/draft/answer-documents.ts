import { termOf } from '../../../lib/filter-terms.ts';
import type { AskReply } from '../ask/contract.ts';

/** Something that can be made of an answer or a recommendation: the body of the endpoint that makes it. */
export type DraftDocument = {
  readonly as: 'alert' | 'budget' | 'view' | 'price';
  readonly body: Readonly<Record<string, unknown>>;
};

/** An alert fires at this multiple of what was found. */
const OVER = 1.5;
const MAX_NAME = 80;
/** Dimensions that alerts call otherwise, or do not have. */
const ALERT_GROUPS: Readonly<Record<string, string>> = {
  model: 'model',
  provider: 'provider',
  environment: 'environment',
  userId: 'user',
  keyId: 'key',
  agent: 'agent',
  release: 'release',
};
const DAY_MS = 86_400_000;
/** Measures that grow with the length of the window; others are the same in a day. */
const SUMS = /^(cost|requests|errors|timeouts|rateLimited|cancelled|successes|unpriced|.*Tokens|tokens)$/;

const round = (value: number): number => Number(value.toPrecision(3));

/** What an answer can become. */
export function documentsOfAnswer(reply: AskReply, projectId: string): DraftDocument[] {
  const { query, measures, rows, start, end, question } = reply;
  const [measure] = measures;
  const total = rows.find(({ kind }) => kind === 'total');
  if (query === null || measure === undefined || total === undefined) return [];
  const name = question.slice(0, MAX_NAME);
  const value = total.values[measure.name] ?? null;
  const days = Math.max(1, (Date.parse(end ?? '') - Date.parse(start ?? '')) / DAY_MS);
  const isSum = SUMS.test(measure.name);
  const usual = value === null ? null : isSum ? value / days : value;
  const isWatched = !/^(run|failedRuns|throughput)/.test(measure.name);
  return [
    ...(usual === null || !isWatched ? [] : [alertOf(reply, { name, measure: measure.name, usual })]),
    ...(measure.name === 'cost' && usual !== null ? budgetOf(reply, { name, usual, projectId }) : []),
    {
      as: 'view',
      body: { name, search: query.filter === undefined ? {} : { filter: query.filter } },
    },
    ...(measure.name.startsWith('unpriced') ? pricesOf(reply) : []),
  ];
}

function alertOf(
  { query }: AskReply,
  { name, measure, usual }: { readonly name: string; readonly measure: string; readonly usual: number },
): DraftDocument {
  const [dimension = ''] = query?.groupBy ?? [];
  const groupBy = dimension.startsWith('tag:') ? dimension : (ALERT_GROUPS[dimension] ?? null);
  return {
    as: 'alert',
    body: {
      name,
      measure,
      filters: query?.filter === undefined ? {} : { filter: query.filter },
      groupBy,
      window: '1d',
      condition: { kind: 'threshold', operator: 'gt', critical: round(usual * OVER) },
    },
  };
}

/** A budget is of the project, a user or a tag; of other calls there is none. */
function budgetOf(
  { query }: AskReply,
  { name, usual, projectId }: { readonly name: string; readonly usual: number; readonly projectId: string },
): DraftDocument[] {
  const filter = query?.filter;
  const user = /^user:(?:"([^"]+)"|([^\s,"*]+))$/.exec(filter ?? '');
  const tag = /^tag\.([\w-]+):(?:"([^"]+)"|([^\s,"*]+))$/.exec(filter ?? '');
  const of =
    filter === undefined
      ? { kind: 'project', projectId }
      : user !== null
        ? { kind: 'user', projectId, userId: user[1] ?? user[2] }
        : tag !== null
          ? { kind: 'tag', projectId, tag: tag[1], value: tag[2] ?? tag[3] }
          : null;
  if (of === null) return [];
  const limitUsd = Math.max(0.01, Math.ceil(usual * 30 * OVER * 100) / 100);
  return [{ as: 'budget', body: { name, of, period: 'month', limitUsd } }];
}

/** A price for the model with most unpriced calls; the rates are for a person to fill in. */
function pricesOf({ rows }: AskReply): DraftDocument[] {
  const model = rows.find(({ kind, key }) => kind === 'group' && typeof key.model === 'string')?.key.model;
  return typeof model === 'string'
    ? [{ as: 'price', body: { model, match: 'exact', rates: { input: 0, output: 0 } } }]
    : [];
}

/** The calls of a row of an answer, in the filter language. */
export const filterOfRow = (
  filter: string | undefined,
  key: Readonly<Record<string, string | null>>,
  fieldOf: (dimension: string) => string,
): string =>
  [
    filter ?? '',
    ...Object.entries(key).map(([dimension, value]) =>
      value === null ? `-${fieldOf(dimension)}:*` : termOf(fieldOf(dimension), value),
    ),
  ]
    .filter((part) => part !== '')
    .join(' ');
