import { afterEach, beforeEach, expect, test } from 'bun:test';
import { defineDurableEvent } from '../../../src/context.ts';
import { commitChange } from '../../../src/core/audit/index.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { organizations } from '../../../src/core/orgs/table.ts';
import { MAX_ATTEMPTS, pauseAfter } from '../../../src/core/outbox/deliver.ts';
import {
  createOutboxModule,
  createOutboxWriter,
  outboxStatement,
  outboxWritten,
} from '../../../src/core/outbox/index.ts';
import type { WriteOp } from '../../../src/db/group-commit.ts';
import { type Followed, follow, type Job, type Module } from '../../../src/module.ts';
import { type JobFixture, openJobFixture } from '../jobs/fixture.ts';

const NOW = Date.UTC(2026, 5, 15, 12);
const orgAdded = defineDurableEvent<{ id: string }>('org.added');

/** Ordered by the letter of its id. */
const keyed = defineDurableEvent<{ id: string }>('test.keyed', { orderKey: ({ id }) => id.charAt(0) });

/** What the followers are told, and how they answer. */
let told: string[] = [];
let answer: (module: string, id: string) => Promise<Followed> = async () => 'done';
const following = (name: string): Module => ({
  name,
  on: [
    follow(orgAdded, async (_, { id }) => {
      told.push(`${name} ${id}`);
      return answer(name, id);
    }),
  ],
});
/** A write of its own that adds a row to the outbox and then may fail. */
const addOp: WriteOp<{ id: string; fails: boolean }, void> = {
  name: 'test.add',
  open: (connection) => {
    const writer = createOutboxWriter(connection);
    return {
      apply({ id, fails }) {
        writer.add(orgAdded, { id }, NOW);
        if (fails) throw new Error('the cause failed');
      },
    };
  },
};
const ordered: Module = {
  name: 'ordered',
  on: [
    follow(keyed, async (_, { id }) => {
      told.push(`first ${id}`);
      return answer('first', id);
    }),
  ],
};
const modules: Module[] = [
  following('first'),
  following('second'),
  ordered,
  { name: 'test', writes: [addOp] },
];
const outboxModule = createOutboxModule(() => modules);
const [job] = outboxModule.jobs as [Job];
let fixture: JobFixture;

beforeEach(() => {
  told = [];
  answer = async () => 'done';
  fixture = openJobFixture(NOW, [outboxModule, ...modules]);
});
afterEach(() => fixture.close());

async function addOrg(id: string): Promise<void> {
  const { ctx } = fixture;
  const row = { id, name: id, plan: 'free' as const, createdAt: new Date(NOW) };
  await commitChange(
    ctx,
    { kind: 'operator' },
    {
      statements: [ctx.db.sql.insert(organizations).values(row), outboxStatement(ctx, orgAdded, { id })],
      audit: [],
    },
  );
}
const deliver = async (): Promise<unknown> => (await runJob(fixture.ctx, job, 'schedule')).result;
const rows = (where = 'TRUE'): Promise<number> => fixture.count('outbox', where);

test('every follower is called once, in the order of the events, and the row is deleted', async () => {
  await addOrg('a');
  await addOrg('b');
  expect(told).toEqual([]);
  expect(await deliver()).toEqual({ delivered: 2, failed: 0 });
  expect(told).toEqual(['first a', 'second a', 'first b', 'second b']);
  expect(await rows()).toBe(0);
  expect(await deliver()).toEqual({});
});

test('a cause that is not committed leaves no row', async () => {
  await addOrg('a');
  expect(addOrg('a')).rejects.toThrow();
  const { write } = fixture.ctx.db.writer;
  expect(write(addOp, { id: 'x', fails: true })).rejects.toThrow('the cause failed');
  await write(addOp, { id: 'y', fails: false });
  await deliver();
  expect(told.filter((line) => line.startsWith('first'))).toEqual(['first a', 'first y']);
});

test('an event with a key waits for older ones with that key until they arrived or were given up', async () => {
  const { ctx } = fixture;
  const write = (...ids: string[]) =>
    Promise.all(ids.map((id) => ctx.db.sql.batch([outboxStatement(ctx, keyed, { id })])));
  answer = async (_, id) => {
    if (id === 'a1' || id === 'c1') throw new Error('not yet');
    return 'done';
  };
  await write('a1', 'a2', 'b1');
  expect(await deliver()).toEqual({ delivered: 1, failed: 1 });
  expect(told).toEqual(['first a1', 'first b1']);
  answer = async () => 'done';
  fixture.clock += pauseAfter(1);
  await deliver();
  expect(told.slice(2)).toEqual(['first a1', 'first a2']);
  answer = async (_, id) => {
    if (id === 'c1') throw new Error('never');
    return 'done';
  };
  await write('c1', 'c2');
  for (let i = 1; i <= MAX_ATTEMPTS; i++) {
    expect(told).not.toContain('first c2');
    await deliver();
    fixture.clock += pauseAfter(i);
  }
  await deliver();
  expect(told.at(-1)).toBe('first c2');
});

test('an announced row is delivered without waiting for the job', async () => {
  await addOrg('a');
  const called = Promise.withResolvers<void>();
  answer = async (name) => {
    if (name === 'second') called.resolve();
    return 'done';
  };
  fixture.ctx.emit(outboxWritten);
  await called.promise;
  expect(told).toEqual(['first a', 'second a']);
});

test('a follower that fails is called again after a pause, the others are not', async () => {
  await addOrg('a');
  answer = async (name) => {
    if (name === 'second' && told.length < 4) throw new Error('not yet');
    return 'done';
  };
  expect(await deliver()).toEqual({ delivered: 0, failed: 1 });
  expect(await deliver()).toEqual({});
  fixture.clock += pauseAfter(1);
  expect(await deliver()).toEqual({ delivered: 0, failed: 1 });
  fixture.clock += pauseAfter(2) - 1;
  expect(await deliver()).toEqual({});
  fixture.clock += 1;
  expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
  expect(told).toEqual(['first a', 'second a', 'second a', 'second a']);
});

test('a failing event does not delay others', async () => {
  await addOrg('a');
  await addOrg('b');
  answer = async (_, id) => {
    if (id === 'a') throw new Error('never');
    return 'done';
  };
  expect(await deliver()).toEqual({ delivered: 1, failed: 1 });
  expect(await rows()).toBe(1);
});

test('after ten attempts an event is given up, kept and logged', async () => {
  await addOrg('a');
  answer = () => Promise.reject(new Error('never'));
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    await deliver();
    fixture.clock += pauseAfter(attempt);
  }
  expect(await deliver()).toEqual({});
  expect(told.length).toBe(2 * MAX_ATTEMPTS);
  expect(await rows("failed_at IS NOT NULL AND error = 'never' AND attempts = 10")).toBe(1);
});

test('an event whose last attempt killed the process is given up too', async () => {
  await addOrg('a');
  await fixture.run('UPDATE outbox SET attempts = ?', [MAX_ATTEMPTS]);
  expect(await deliver()).toEqual({ delivered: 0, failed: 1 });
  expect(told).toEqual([]);
  expect(await rows('failed_at IS NOT NULL')).toBe(1);
});

test('`later` is not a failed attempt, and the run is not recorded', async () => {
  await addOrg('a');
  answer = async () => 'later';
  for (let i = 0; i < 2 * MAX_ATTEMPTS; i++) {
    expect(await deliver()).toEqual({});
    fixture.clock += 600_000;
  }
  answer = async () => 'done';
  expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
});

test('an event without followers is deleted', async () => {
  await fixture.run("INSERT INTO outbox (event, payload, created_at, due_at) VALUES ('no.one', '{}', 0, 0)");
  expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
});
