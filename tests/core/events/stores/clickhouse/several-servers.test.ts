import { afterAll, beforeAll, expect, test } from 'bun:test';
import Libsql from 'libsql';
import pino from 'pino';
import type { Ctx } from '../../../../../src/context.ts';
import type { Engine } from '../../../../../src/core/events/stores/clickhouse/engine/engine.ts';
import { render } from '../../../../../src/core/events/stores/clickhouse/engine/sql.ts';
import { createLane, type Lane } from '../../../../../src/core/events/stores/clickhouse/record/lane.ts';
import { createOutbox } from '../../../../../src/core/events/stores/clickhouse/record/outbox.ts';
import { createRecorder } from '../../../../../src/core/events/stores/clickhouse/record/record.ts';
import { createTagValues } from '../../../../../src/core/events/stores/clickhouse/record/tag-values.ts';
import { openRemoteControl } from '../../../../../src/db/remote/remote-control.ts';
import { openTurns, TURNS_TABLE } from '../../../../../src/db/remote/turns.ts';
import { sqlOp } from '../../../../../src/db/sql-op.ts';
import { createThreadWriter, type Writer } from '../../../../../src/db/writer.ts';
import { AppError, unavailable } from '../../../../../src/errors.ts';
import { eventually } from '../../../../helpers/eventually.ts';
import { openFolder } from '../../../../helpers/folder.ts';
import { randomBelow } from '../../../../helpers/random.ts';
import { type LibsqlThread, startLibsqlThread } from '../../../../libsql/start.ts';

/** `SERVER_MODEL_ROUNDS=1000` for the long form. */
const ROUNDS = Number(process.env.SERVER_MODEL_ROUNDS ?? 10);
const SERVERS = 3;
const BATCHES = 40;
/** Ids are taken from so many, so that batches have events in common. */
const IDS = 60;
const TURN_MS = 100;
const DAY = '2026-11-23';
const NOW = Date.parse(`${DAY}T12:00:00Z`);

const SCHEMA = `CREATE TABLE event_outbox (no INTEGER PRIMARY KEY AUTOINCREMENT, project INTEGER, entry BLOB);
  CREATE TABLE undated_events (project INTEGER, event_id BLOB, ts INTEGER, PRIMARY KEY (project, event_id));
  CREATE TABLE usage_months (organization_id TEXT, month TEXT, events INTEGER, bytes INTEGER, PRIMARY KEY (organization_id, month));
  CREATE TABLE usage_days (organization_id TEXT, day TEXT, events INTEGER, bytes INTEGER, PRIMARY KEY (organization_id, day));
  CREATE TABLE quota_warnings (organization_id TEXT, month TEXT, unit TEXT, threshold INTEGER, quota INTEGER, at INTEGER,
    PRIMARY KEY (organization_id, month, unit, threshold, quota)); ${TURNS_TABLE}`;

const folder = openFolder();
const below = randomBelow();
let server: LibsqlThread;
/** A connection for each server; a process that dies leaves it to the next one. */
let lines: { readonly writer: Writer; readonly control: ReturnType<typeof openRemoteControl> }[];

beforeAll(async () => {
  server = await startLibsqlThread(folder.path('server.db'));
  const file = new Libsql(server.file);
  file.exec(SCHEMA);
  file.close();
  const place = { url: server.url, token: null, holder: null };
  const entry = new URL('../../../../../src/writer-thread.ts', import.meta.url).href;
  lines = Array.from({ length: SERVERS }, () => {
    const writer = createThreadWriter(place, entry, (error) => {
      throw error;
    });
    return { writer, control: openRemoteControl(place, (statements) => writer.write(sqlOp, statements)) };
  });
}, 60_000);
afterAll(async () => {
  for (const { writer, control } of lines) {
    await writer.close();
    control.close();
  }
  await server.stop();
  folder.remove();
});

/** ClickHouse as far as receipts need it: of an event the row with the greatest version is seen. */
function openEngine() {
  const rows = new Map<string, string>();
  const landing = new Set<Promise<void>>();
  const keyOf = (project: unknown, ts: unknown, id: unknown): string => `${project} ${ts} ${id}`;
  const land = (receipts: readonly Readonly<Record<string, unknown>>[]): void => {
    for (const { project, ts, event_id, version } of receipts) {
      const key = keyOf(project, ts, event_id);
      if (BigInt(rows.get(key) ?? 0) < BigInt(String(version))) rows.set(key, String(version));
    }
  };
  return {
    rows,
    landed: () => Promise.all(landing),
    engine: {
      async read(_projects, query) {
        const { query: text } = render(query);
        if (!text.includes('FROM events')) return [];
        const keys = [...text.matchAll(/\((\d+), (\d+), '([0-9a-f-]+)'\)/g)];
        const found = keys.filter(([, project, ts, id]) => rows.has(keyOf(project, ts, id)));
        return found.map(([, project, , id]) => ({ project: Number(project), id })) as never[];
      },
      run: () => Promise.reject(new Error('no changes here')),
      async insert(table, given) {
        if (table !== 'events') return;
        const receipts = given as readonly Readonly<Record<string, unknown>>[];
        const chance = isCalm ? 2 : below(12);
        if (chance === 0) throw unavailable('The event store refused');
        if (chance === 1) {
          landing.add(Bun.sleep(below(2 * TURN_MS)).then(() => land(receipts)));
          throw unavailable('The event store did not answer in time');
        }
        land(receipts);
      },
      close: async () => {},
    } satisfies Engine,
  };
}

type Process = {
  readonly record: (events: readonly Sent[]) => Promise<unknown>;
  readonly lane: Lane;
  /** Nothing of it happens any more. */
  kill(): void;
  readonly died: Promise<void>;
  close(): void;
};
type Sent = { readonly id: string; readonly ts: number };
type Round = { readonly project: number; readonly quota: number; readonly engine: Engine };

let made = 0;
/** At the end of a round nothing fails, so that what is left is inserted. */
let isCalm = false;
function start({ writer, control }: (typeof lines)[number], { project, quota, engine }: Round): Process {
  const death = Promise.withResolvers<void>();
  let isDead = false;
  let frozenUntil = 0;
  /** Before each step all may freeze for a while; each may be the last one, before or after it has happened. */
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!isCalm && below(20) === 0) frozenUntil = performance.now() + below(4 * TURN_MS);
    while (frozenUntil > performance.now()) await Bun.sleep(frozenUntil - performance.now());
    if (isDead) return new Promise<T>(() => {});
    const result = await work();
    return isDead ? new Promise<T>(() => {}) : result;
  };
  const turns = openTurns(`holder ${made++}`, (statement) => step(() => control.run(statement)), {
    turnMs: TURN_MS,
  });
  const ctx = {
    db: {
      turns,
      sql: { all: (query: string) => step(() => Promise.resolve(control.db.all(query as never))) },
      writer: {
        ...writer,
        write: (...args: Parameters<Writer['write']>) =>
          step(async () => {
            const result = await writer.write(...args);
            // The answer to the commit is lost.
            if (!isCalm && below(15) === 0)
              throw unavailable('The database server does not answer; try again');
            return result;
          }),
      },
    },
    now: () => NOW,
    log: pino({ level: 'silent' }),
  } as unknown as Ctx;
  const own: Engine = {
    ...engine,
    read: (...args) => step(() => engine.read(...args)) as never,
    insert: (...args) => step(() => engine.insert(...args)),
  };
  const outbox = createOutbox(ctx, own);
  const tags = createTagValues(own);
  const lane = createLane({ db: ctx.db, outbox, tags });
  const recorder = createRecorder(ctx, { engine: own, outbox, tags, lane });
  const organizationId = `org ${project}`;
  const count = {
    effect: 'usage.count',
    payload: { organizationId, now: NOW, day: DAY, quota: { events: quota, bytes: 1e15 }, resetSeconds: 1 },
  };
  return {
    record: (events) => recorder.record({ no: project } as never, batchOf(events) as never, [count]),
    lane,
    died: death.promise,
    kill() {
      isDead = true;
      turns.close();
      death.resolve();
    },
    close: () => turns.close(),
  };
}

const batchOf = (events: readonly Sent[]): object => ({
  events: events.map(({ id, ts }) => ({
    event: { event_id: id, ts, dated: true, tags: null, status: 'success', trace_id: '', span_id: '' },
    pricing: { is_call: true, buckets: {}, cost_nano: null, cost_status: null, price: null },
  })),
  keyId: null,
  spans: false,
});

/** What is counted of the project's organization, and entries that wait. */
function look(project: number): { counted: number; waiting: number } {
  const file = new Libsql(server.file);
  const ask = (sql: string): number => Number((file.prepare(sql).raw(true).get([]) as [number])[0]);
  const counted = ask(
    `SELECT coalesce(sum(events), 0) FROM usage_months WHERE organization_id = 'org ${project}'`,
  );
  const waiting = ask(`SELECT count(*) FROM event_outbox WHERE project = ${project}`);
  file.close();
  return { counted, waiting };
}

async function play(project: number): Promise<void> {
  isCalm = false;
  const { engine, rows, landed } = openEngine();
  const round: Round = { project, quota: 10 + below(IDS), engine };
  // They were warned before: what warnings write is not of interest here.
  for (const threshold of [80, 100])
    await lines[0]?.control.run({
      sql: "INSERT INTO quota_warnings VALUES (?, ?, 'events', ?, ?, 0)",
      args: [`org ${project}`, DAY.slice(0, 7), threshold, round.quota],
    });
  const processes = lines.map((line) => start(line, round));
  const events = Array.from({ length: IDS }, (_, i): Sent => ({ id: crypto.randomUUID(), ts: NOW - i }));
  const acknowledged = new Set<string>();
  const replies = Array.from({ length: BATCHES }, async () => {
    await Bun.sleep(below(600));
    const first = below(IDS - 5);
    const batch = events.slice(first, first + 1 + below(5));
    const send = async (place: number): Promise<void> => {
      const one = processes[place] as Process;
      const outcome = await Promise.race([
        one.record(batch).then(
          () => 'stored',
          (error: unknown) => error,
        ),
        one.died.then(() => 'nothing'),
      ]);
      if (outcome === 'stored') for (const { id } of batch) acknowledged.add(id);
      else if (outcome !== 'nothing' && !(outcome instanceof AppError)) throw outcome;
    };
    await Promise.all(Array.from({ length: 1 + below(2) }, () => send(below(SERVERS))));
  });
  const accidents = Array.from({ length: 1 + below(4) }, async () => {
    await Bun.sleep(below(700));
    const place = below(SERVERS);
    const one = processes[place] as Process;
    one.kill();
    processes[place] = start(lines[place] as (typeof lines)[number], round);
  });
  await Promise.all([...replies, ...accidents]);
  isCalm = true;
  await landed();
  const swept = async (): Promise<boolean> => {
    for (const { lane } of processes) await lane.sweep().catch(() => {});
    return look(project).waiting === 0;
  };
  await eventually('nothing waiting', swept, 30_000);
  for (const one of processes) one.close();
  await landed();
  expect(look(project).counted).toBe(rows.size);
  expect(rows.size).toBeLessThanOrEqual(round.quota);
  const stored = new Set([...rows.keys()].map((key) => key.split(' ')[2]));
  expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
}

test(
  'servers that die, freeze or hear no answer at any step: never above the quota, and what is counted is stored',
  async () => {
    for (let round = 1; round <= ROUNDS; round++) await play(round);
  },
  20_000 * (ROUNDS + 1),
);
