import type { Ctx } from '../../../src/context.ts';
import { eventsOf, START } from '../../../src/core/events/index.ts';
import { sealerService } from '../../../src/core/events/stores/sqlite/seal/sealer.ts';
import type { PriceInput } from '../../../src/core/pricing/contract.ts';
import { setPrice } from '../../../src/core/pricing/index.ts';
import type { ProjectScope } from '../../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { makeEvent, NOON } from '../support/make-event.ts';
import { record } from '../support/send.ts';

/** A change of a project that consists of several writes, and what it starts from. */
export type ChangeToKill = {
  prepare(ctx: Ctx, project: ProjectScope): Promise<void>;
  /** Makes the change, or what is left of it. */
  run(ctx: Ctx, project: ProjectScope): Promise<void>;
};

const { signal } = new AbortController();
const CALLS = { from: 0, to: 8.64e15, unpricedOnly: false, clientCosts: true };
const PRICE: PriceInput = {
  match: 'exact',
  model: 'gpt-4o',
  rates: { input: 3, output: 9 },
  tiers: [],
  currency: 'USD',
};
const BUCKETS = { fresh: 1_000, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 50, reasoning: 0 };

/** Records a batch of events of one day, of two users in turns. @param bytes length of the text of each */
async function recordDay(ctx: Ctx, project: ProjectScope, day: number, bytes = 10): Promise<void> {
  const events = Array.from({ length: 24 }, (_, place) =>
    makeEvent({
      event_id: crypto.randomUUID(),
      ts: NOON - day * DAY_MS + place * 60_000,
      user_id: place % 2 === 0 ? 'kept' : 'gone',
      tags: { team: `team-${place % 3}` },
      buckets: BUCKETS,
      error_message: crypto.getRandomValues(new Uint8Array(bytes)).toBase64(),
    }),
  );
  await record(eventsOf(ctx), project, events, { keyId: 'key_1' });
}

const seal: ChangeToKill['run'] = (ctx, { no }) => ctx.use(sealerService).sealAll(no);

async function recordSealed(ctx: Ctx, project: ProjectScope): Promise<void> {
  for (const day of [0, 1]) await recordDay(ctx, project, day);
  await seal(ctx, project);
}

async function changeAll(ctx: Ctx, project: ProjectScope, kind: 'reprice' | 'restore'): Promise<void> {
  const preview = await eventsOf(ctx).previewReprice(project, CALLS, { cursor: START, pricesVersion: null });
  const { pricesVersion } = preview;
  const change =
    kind === 'reprice'
      ? ({ kind, id: 'r', calls: CALLS, pricesVersion } as const)
      : ({ kind, id: 'r' } as const);
  for (let cursor: string | null = START; cursor !== null; )
    ({ next: cursor } = await eventsOf(ctx).change(project, change, { cursor, rows: 100 }));
}

/** All that rewrites stored events, by name. */
export const CHANGES: Readonly<Record<string, ChangeToKill>> = {
  seal: {
    // Two segments, of more bytes than one write takes.
    async prepare(ctx, project) {
      for (const day of [0, 1]) await recordDay(ctx, project, day, 9_000);
    },
    run: seal,
  },
  merge: {
    async prepare(ctx, project) {
      for (let part = 0; part < 8; part++) {
        await recordDay(ctx, project, 0);
        await seal(ctx, project);
      }
    },
    run: async (ctx, { no }) => void (await ctx.use(sealerService).mergeSmall(no)),
  },
  reprice: {
    async prepare(ctx, project) {
      await recordSealed(ctx, project);
      const { organizationId } = project;
      await setPrice(ctx, { kind: 'operator' }, { organizationId, id: null, input: PRICE });
    },
    run: (ctx, project) => changeAll(ctx, project, 'reprice'),
  },
  undo: {
    async prepare(ctx, project) {
      await CHANGES.reprice?.prepare(ctx, project);
      await changeAll(ctx, project, 'reprice');
    },
    run: (ctx, project) => changeAll(ctx, project, 'restore'),
  },
  // With the user's name in the tags of others, which is replaced at the end.
  erase: {
    async prepare(ctx, project) {
      await recordSealed(ctx, project);
      await record(eventsOf(ctx), project, [makeEvent({ ts: NOON, tags: { team: 'gone' } })]);
    },
    run: (ctx, project) =>
      eventsOf(ctx).eraseUser(
        project,
        { userId: 'gone', name: 'erased' },
        { signal, cursor: 0, effects: [] },
      ),
  },
  // One segment is deleted, the other is cut.
  retain: {
    prepare: recordSealed,
    run: async (ctx, project) =>
      void (await eventsOf(ctx).deleteBefore(project, NOON + 10 * 60_000, { signal })),
  },
};
