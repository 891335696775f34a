import type { Ctx, Service } from '../../context.ts';
import type { EffectCall } from '../../db/effects.ts';
import { newId } from '../../db/new-id.ts';
import { createOncePer } from '../../lib/once-per.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { ParsedEvent, RecordReply } from '../events/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import { type KnownReleases, knownReleases, knownReleasesOf, nameOf } from './known-releases.ts';
import { observeReleases, type SeenRelease, type SeenReleases } from './observe-releases.ts';
import { skippedReleases } from './table.ts';

/** Limits how often a project notes that a release was not kept. */
export const skippedNotes: Service<(projectId: string, now: number) => boolean> = {
  name: 'deployments.skipped_notes',
  open: () => createOncePer({ windowMs: MINUTE_MS, maxKeys: 10_000 }),
};

type Times = { first: number; last: number };
type Seen = Map<string, Times & { readonly environment: string; readonly release: string }>;

/**
 * Records events by `record` together with what they say of releases: the first event of a new release makes a
 * deployment. A batch without news costs a look at a map per release.
 * @param record records the events with these effects after its own
 */
export async function withReleases(
  ctx: Ctx,
  scope: ProjectScope,
  events: readonly ParsedEvent[],
  record: (effects: readonly EffectCall[]) => Promise<RecordReply>,
): Promise<RecordReply> {
  const seen = seenIn(events);
  if (seen.size === 0) return record([]);
  const known = await knownReleasesOf(ctx, scope.projectId);
  const news = newsOf(ctx, scope, { known, seen });
  if (news.length === 0) return record([]);
  const { organizationId, projectId } = scope;
  const payload: SeenReleases = { organizationId, projectId, now: ctx.now(), seen: news };
  let isStored = false;
  try {
    const reply = await record([{ effect: observeReleases.name, payload, rows: news.length }]);
    isStored = reply.results.at(-1) === true;
    return { ...reply, results: reply.results.slice(0, -1) };
  } finally {
    for (const one of news) known.settle(nameOf(one.environment, one.release), one, isStored);
    // The cache asks for the size of a value only when it is set.
    const cache = ctx.use(knownReleases);
    if (cache.peek(projectId) === known) cache.set(projectId, known);
  }
}

function seenIn(events: readonly ParsedEvent[]): Seen {
  const seen: Seen = new Map();
  // Most batches are of one release: its name is built once.
  let current = { release: '', environment: '', first: 0, last: 0 };
  for (const { release, environment, ts } of events) {
    if (release === null) continue;
    if (current.release !== release || current.environment !== environment) {
      const name = nameOf(environment, release);
      current = seen.get(name) ?? { release, environment, first: ts, last: ts };
      seen.set(name, current);
    }
    if (ts < current.first) current.first = ts;
    if (ts > current.last) current.last = ts;
  }
  return seen;
}

function newsOf(
  ctx: Ctx,
  { projectId }: ProjectScope,
  { known, seen }: { readonly known: KnownReleases; readonly seen: Seen },
): SeenRelease[] {
  const now = ctx.now();
  const news: SeenRelease[] = [];
  for (const [name, one] of seen) {
    if (!known.isNews(name, one)) continue;
    if (known.admit(name, now)) news.push({ id: newId('dep', now), ...one });
    else if (ctx.use(skippedNotes)(projectId, now)) noteSkipped(ctx, projectId, one);
  }
  return news;
}

/** Notes in the background that a release was not kept; a failure is only logged. */
function noteSkipped(
  ctx: Ctx,
  projectId: string,
  { environment, release }: { readonly environment: string; readonly release: string },
): void {
  const row = { environment, release, at: new Date(ctx.now()) };
  ctx.db.sql
    .insert(skippedReleases)
    .values({ projectId, ...row })
    .onConflictDoUpdate({ target: skippedReleases.projectId, set: row })
    .then(undefined, (error: unknown) =>
      ctx.log.debug({ err: error, projectId }, 'a release that was not kept was not noted'),
    );
}
