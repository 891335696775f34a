import type { Ctx } from '../../../context.ts';
import { eventsOf, type Window } from '../../../core/events/index.ts';
import { listDefinitions } from '../../../core/scores/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { startOfDay } from '../../../lib/time-zone.ts';
import type { Name } from './question.ts';

/** Days whose calls are looked at, and values of a dimension: those with most calls. */
const DAYS = 30;
const MOST = 300;

/** What a project's calls can be filtered by, from totals. */
export type Known = {
  readonly names: readonly Name[];
  readonly tags: readonly string[];
  readonly scores: readonly string[];
};

const windowOf = (now: number): Window => ({ from: startOfDay(now, 'UTC', -DAYS), to: now + 1 });

type ValueDimension =
  | 'model'
  | 'provider'
  | 'environment'
  | 'errorCode'
  | 'userId'
  | 'release'
  | 'promptName';

/** Values that totals know: models, providers, environments, error codes, agents, tools and tags. */
export async function listKnown(
  ctx: Ctx,
  scope: EventScope,
  { projectId, now }: { readonly projectId: string; readonly now: number },
): Promise<Known> {
  const window = windowOf(now);
  const [names, links, tags, definitions] = await Promise.all([
    listValues(ctx, scope, { dimensions: ['model', 'provider', 'environment', 'errorCode'], now }),
    eventsOf(ctx).linkTimes(scope),
    eventsOf(ctx).tags(scope, { window, values: MOST }),
    listDefinitions(ctx, projectId),
  ]);
  const linked = links.flatMap(({ kind, name }) =>
    (kind === 'agent' || kind === 'tool') && name !== '' ? [{ dimension: kind, value: name, calls: 0 }] : [],
  );
  const tagged = tags.flatMap(({ name, values }) =>
    values.map((value) => ({ dimension: `tag:${name}` as const, value, calls: 0 })),
  );
  return {
    names: [...names, ...linked, ...tagged],
    tags: tags.map(({ name }) => name),
    scores: definitions.map(({ name }) => name),
  };
}

/** Values of dimensions whose calls are read one by one: asked for only if a question has words that nothing explains. */
export const listRareNames = (ctx: Ctx, scope: EventScope, now: number): Promise<Name[]> =>
  listValues(ctx, scope, { dimensions: ['userId', 'release', 'promptName'], now });

async function listValues(
  ctx: Ctx,
  scope: EventScope,
  { dimensions, now }: { readonly dimensions: readonly ValueDimension[]; readonly now: number },
): Promise<Name[]> {
  const all = await Promise.all(
    dimensions.map(async (dimension) => {
      const { groups } = await eventsOf(ctx).groups(scope, {
        measures: ['requests'],
        groupBy: [dimension],
        filters: {},
        window: windowOf(now),
        keep: { by: 'requests', direction: 'desc', limit: MOST },
      });
      return groups.flatMap(({ key: [value], values: [calls] }) =>
        value == null ? [] : [{ dimension, value, calls: calls ?? 0 }],
      );
    }),
  );
  return all.flat();
}
