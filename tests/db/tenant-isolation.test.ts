import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { keepRunRowsJob } from '../../src/core/events/stores/sqlite/runs/keep-rows.ts';
import {
  ALL_TIME,
  chunksOf,
  openStoredSegment,
} from '../../src/core/events/stores/sqlite/scan/open-chunks.ts';
import { toEvent } from '../../src/core/events/stores/sqlite/scan/to-event.ts';
import { sealerService } from '../../src/core/events/stores/sqlite/seal/sealer.ts';
import { eventTables } from '../../src/core/events/stores/sqlite/tables.ts';
import { projects } from '../../src/core/projects/table.ts';
import { openReadConnection, type SqlValue } from '../../src/db/connection.ts';
import { openReadSession, type ReadSession } from '../../src/db/reader.ts';
import { sqlOp } from '../../src/db/sql-op.ts';
import { isHiddenName } from '../../src/db/tenant-sql.ts';
import { tables } from '../../src/features.ts';
import { encode, type SpanSpec } from '../features/otel/otlp.ts';
import { openTestApp, type Tenant, type TestApp } from '../helpers/app.ts';

/** The tables whose content is in blobs, which no search for text reads. */
const logTables = eventTables.filter(({ name }) => /^event_(log|segment|pieces|blocks)/.test(name));

/** In every text of the other tenant that a row may hold. */
const MARK = 'globex-sentinel';
let world: TestApp;
let other: Tenant;
let session: ReadSession;
let own: { no: number; otherNo: number };

beforeAll(async () => {
  world = await openTestApp();
  other = await world.addTenant(MARK);
  const call = { provider: 'openai', model: 'gpt-4o', latency_ms: 5 };
  for (const [tenant, user_id] of [
    [world.seed, 'acme'],
    [other, MARK],
  ] as const) {
    const no = await numberOf(tenant);
    const events = Array.from({ length: 98 }, () => ({
      ...call,
      user_id,
      agent: user_id,
      trace_id: 'c'.repeat(32),
      model: user_id,
      tags: { user_id },
      release: user_id,
      input: user_id,
    }));
    events.push({ ...call, event_id: crypto.randomUUID(), user_id } as never, { provider: user_id } as never);
    const send = async () => {
      const reply = await world.fetch('/v1/ingest', { apiKey: tenant.apiKey, events });
      expect(reply.status).toBe(202);
    };
    // Enough for pieces that are not stored with their segment.
    for (let i = 0; i < 4; i++) await send();
    // What counts changes with a later span, of a sealed event and of one that is not.
    await sendSpan(tenant, { trace: 'a'.repeat(32), id: '2', parent: '1', name: user_id });
    await world.ctx.use(sealerService).sealAll(no);
    await sendSpan(tenant, { trace: 'a'.repeat(32), id: '1', name: user_id });
    await sendSpan(tenant, { trace: 'b'.repeat(32), id: '2', parent: '1', name: user_id });
    await sendSpan(tenant, { trace: 'b'.repeat(32), id: '1', name: user_id });
    await send();
    await copyAsDamaged(no);
  }
  await keepRunRowsJob.run(world.ctx, new AbortController().signal);
  session = openReadSession(world.ctx.db.path, tables);
  own = { no: await numberOf(world.seed), otherNo: await numberOf(other) };
});
afterAll(async () => {
  session.close();
  await world.close();
});

async function numberOf({ projectId }: Tenant): Promise<number> {
  const [row] = await world.ctx.db.sql
    .select({ no: projects.no })
    .from(projects)
    .where(eq(projects.id, projectId));
  return row?.no ?? 0;
}

async function sendSpan({ apiKey }: Tenant, span: SpanSpec): Promise<void> {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 12,
  };
  const body = encode('json', { ...span, attributes });
  const headers = { 'content-type': 'application/json' };
  const reply = await world.fetch('/v1/otel', { method: 'POST', body, headers, apiKey });
  expect(reply.status).toBe(202);
}

/** Has a batch of a project among the damaged ones too. */
async function copyAsDamaged(no: number): Promise<void> {
  const columns = 'project, events, first_ts, last_ts, labels, dropped, ids, pack';
  const sql = `INSERT INTO event_log_damaged (seq, at, reason, ${columns})
    SELECT seq + 1000000, 0, 'of a test', ${columns} FROM event_log WHERE project = ? LIMIT 1`;
  await world.ctx.db.writer.write(sqlOp, [{ sql, args: [no] }]);
}

/** As the file is, without a scope. */
function readAll(sql: string): SqlValue[][] {
  const connection = openReadConnection(world.ctx.db.path);
  try {
    return connection.prepare(sql).raw(true).all([]) as SqlValue[][];
  } finally {
    connection.close();
  }
}
const scope = (tenant: Tenant, no: number) => ({ projects: [no], organizationId: tenant.organizationId });
const tableNames = () =>
  readAll("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'").map(String);
const read = (sql: string, within = scope(world.seed, own.no)) => session.open(within).rows(sql);
/** Ids and numbers of the other tenant, besides the mark. */
const foreign = () => [MARK, other.organizationId, other.projectId, other.userId, other.email, other.keyId];

describe('a scoped reader', () => {
  test('sees of every table the rows of its tenant, or nothing', () => {
    const seen: string[] = [];
    for (const table of tableNames()) {
      const rows = JSON.stringify(read(`SELECT * FROM ${table}`));
      for (const trace of foreign()) expect(`${table}: ${rows}`).not.toContain(trace);
      if (rows !== '[]') seen.push(table);
    }
    expect(seen).toEqual(expect.arrayContaining([...logTables.map(({ name }) => name), 'audit_log']));
    for (const secret of [
      'users',
      'accounts',
      'sessions',
      'api_keys',
      'members',
      'organizations',
      'projects',
    ])
      expect(seen).not.toContain(secret);
  });

  test("sees of the events' tables exactly its own rows, whose blobs no text search reads", () => {
    const columns = tables.filter(({ scope, readable }) => readable && scope === 'project');
    for (const { name } of columns) {
      const [rows, others] = [own.no, own.otherNo].map((no) =>
        readAll(`SELECT * FROM ${name} WHERE project = ${no} ORDER BY 1, 2`),
      );
      expect([name, read(`SELECT * FROM ${name} ORDER BY 1, 2`)]).toEqual([name, rows ?? []]);
      if (logTables.some((table) => table.name === name)) expect([name, others]).not.toEqual([name, []]);
    }
  });

  test('opens the chunks of its projects only, even if another scope has opened them on the connection', () => {
    const chunksIn = (no: number, of: number) =>
      chunksOf(session.open([no]), of, ALL_TIME).map(({ segment, open }) => ({ segment, chunk: open() }));
    const theirs = chunksIn(own.otherNo, own.otherNo);
    expect(theirs.length).toBeGreaterThan(3);
    for (const { chunk } of theirs) expect(chunk.texts('user_id').codeOf('acme')).toBe(0);
    expect(chunksIn(own.no, own.otherNo)).toEqual([]);
    for (const { chunk } of chunksIn(own.no, own.no)) {
      const events = Array.from({ length: chunk.events }, (_, place) => toEvent(chunk, place, () => null));
      for (const trace of foreign()) expect(JSON.stringify(events)).not.toContain(trace);
    }
    for (const row of readAll('SELECT * FROM event_segments WHERE project <> 1').map((values) =>
      values.map(Number),
    )) {
      const [no = 0, project = 0, version = 0, , events = 0, first = 0, last = 0, blocks = 0] = row;
      const stored = { no, project, version, events, first, last, blocks, flips: null };
      expect(() => openStoredSegment(session.open([own.no]), stored).ids('event_id')).toThrow();
    }
  });

  test('sees nothing of an organization when it is opened for projects only', () => {
    expect(session.open([own.no]).rows('SELECT * FROM audit_log')).toEqual([]);
    expect(session.open([own.no]).rows('SELECT * FROM event_segments')).not.toEqual([]);
  });

  test('follows its scope from one read to the next', () => {
    const numbers = (no: number) =>
      session.open([no]).rows('SELECT DISTINCT project FROM event_pieces').flat();
    expect([own.no, own.otherNo, own.no, 999].map(numbers)).toEqual([[own.no], [own.otherNo], [own.no], []]);
  });
});

/** The names of a table behind the views, as they can be written. */
const behind = [
  'main.T',
  '"main".T',
  '[main].[T]',
  '`MAIN`.`T`',
  "'main'.'T'",
  'main . T',
  'main/**/./**/T',
  'MaIn\n.\nT',
];
const HOSTILE: readonly string[] = [
  ...['event_users', 'event_pieces', 'users', 'api_keys', 'audit_log'].flatMap((table) =>
    behind.map((name) => `SELECT * FROM ${name.replace('T', table)}`),
  ),
  'SELECT * FROM users',
  'SELECT token FROM sessions',
  'SELECT * FROM event_users UNION ALL SELECT * FROM main.event_users',
  'SELECT (SELECT group_concat(user_id) FROM main.event_users)',
  'SELECT * FROM event_users WHERE project = 2 OR 1 = 1',
  "SELECT * FROM event_users WHERE user_id LIKE '%' --' AND project = 1",
  'WITH scope(project) AS (SELECT 2) SELECT * FROM event_users',
  'WITH scope_organizations(organization_id) AS (SELECT organization_id FROM audit_log) SELECT * FROM audit_log',
  'WITH event_users AS (SELECT * FROM main.event_users) SELECT * FROM event_users',
  'INSERT INTO temp.scope VALUES (2)',
  'INSERT INTO scope VALUES (2)',
  'WITH x AS (SELECT 2) INSERT INTO scope SELECT * FROM x',
  'WITH x AS (SELECT 2) DELETE FROM scope',
  'REPLACE INTO scope VALUES (2)',
  'DROP VIEW event_users',
  'DROP VIEW temp.event_users',
  'CREATE TEMP VIEW mine AS SELECT * FROM main.event_users',
  'PRAGMA query_only = OFF',
  'PRAGMA database_list',
  '/* SELECT */ PRAGMA query_only = OFF',
  'SELECT 1; PRAGMA query_only = OFF',
  "ATTACH 'test.db' AS again",
  "SELECT 1; ATTACH 'test.db' AS again",
  'BEGIN',
  'COMMIT',
  "VACUUM INTO 'stolen.db'",
  'ANALYZE',
  'EXPLAIN SELECT * FROM main.event_users',
  'SELECT * FROM sqlite_schema',
  'SELECT * FROM "sqlite_master"',
  "SELECT * FROM 'sqlite_temp_master'",
  'SELECT * FROM sqlite_sequence',
  "SELECT * FROM pragma_table_info('users')",
  'SELECT * FROM pragma_database_list',
  'SELECT * FROM dbstat',
  'SELECT * FROM sqlite_dbpage',
  'SELECT data FROM [sqlite_dbpage]',
  "SELECT load_extension('x')",
  "SELECT readfile('/etc/passwd')",
  'SELECT "READFILE"(\'/etc/passwd\')',
  "SELECT writefile('/tmp/spanledger-stolen', 'y')",
  "SELECT * FROM fsdir('/')",
  "SELECT * FROM 'fsdir'('/')",
  "SELECT sha3_query('SELECT * FROM main.users')",
  'SELECT sqlite3mc_config(1)',
  "SELECT * FROM vector_top_k('i', '[1]', 1)",
  '',
  ';',
  '-- nothing',
  'SELECT * FROM temp.scope',
  'SELECT * FROM "temp"."scope"',
];

test.each(HOSTILE)('shows no other tenant: %s', (sql) => {
  let rows: unknown;
  try {
    rows = read(sql);
  } catch (error) {
    rows = error instanceof Error ? error.message : error;
  }
  const text = JSON.stringify(rows);
  for (const trace of foreign()) expect(text).not.toContain(trace);
  // And what was tried leaves no mark on the reader.
  expect(read('SELECT user_id FROM event_users')).toEqual([['acme']]);
  expect(read('SELECT DISTINCT project FROM event_pieces')).toEqual([[own.no]]);
});

/** Functions of the driver that work on their arguments alone. One that is in neither list is to be looked at. */
const PLAIN_FUNCTIONS =
  '-> ->> abs acos acosh asin asinh atan atan2 atanh atn2 avg bm25 ceil ceiling changes char charindex coalesce concat concat_ws cos cosh cot coth count cume_dist current_date current_time current_timestamp date datetime degrees dense_rank difference exp first_value floor format fts5 fts5_source_id geopoly_area geopoly_bbox geopoly_blob geopoly_ccw geopoly_contains_point geopoly_debug geopoly_group_bbox geopoly_json geopoly_overlap geopoly_regular geopoly_svg geopoly_within geopoly_xform glob group_concat hex highlight ifnull iif instr json json_array json_array_length json_error_position json_extract json_group_array json_group_object json_insert json_object json_patch json_quote json_remove json_replace json_set json_type json_valid jsonb jsonb_array jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set julianday lag last_insert_rowid last_rows_affected last_value lead leftstr length like likelihood likely ln log log10 lower lower_quartile ltrim match matchinfo max median min mode nth_value ntile nullif octet_length offsets optimize padc padl padr percent_rank pi power printf proper quote radians random randomblob rank regexp regexpi replace replicate reverse rightstr round row_number rtreedepth rtreenode rtrim sha3 sign sin sinh snippet soundex sqrt square stdev strfilter strftime string_agg substr substring subtype sum tan tanh time timediff total total_changes trim typeof unhex unicode unixepoch unlikely upper upper_quartile uuid uuid_blob uuid_str variance vector vector16 vector1bit vector32 vector64 vector8 vector_distance_cos vector_distance_l2 vector_extract vectorb16 zeroblob';
/** Virtual tables that are made of their arguments, or that only CREATE makes. */
const PLAIN_MODULES =
  'fts3 fts3tokenize fts4 fts4aux fts5 fts5vocab generate_series geopoly json_each json_tree rtree rtree_i32';

test('every function and virtual table of the driver is listed as harmless or hidden', () => {
  const names = (list: string) => readAll(`SELECT DISTINCT name FROM pragma_${list}_list`).map(String);
  const unknown = [...names('function'), ...names('module')].filter(
    (name) =>
      !isHiddenName(name) && ![...PLAIN_FUNCTIONS.split(' '), ...PLAIN_MODULES.split(' ')].includes(name),
  );
  expect(unknown).toEqual([]);
});

test('SQL that reaches outside the ledger is refused', () => {
  for (const sql of [
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('/tmp/x', 'y')",
    "SELECT * FROM fsdir('/')",
  ])
    expect(() => read(sql)).toThrow('There is no table or function');
});

test('ordinary SQL is not refused', () => {
  const fine = [
    "SELECT 'main', 'temp', 'it''s; fine' AS \"a;b\" -- main.event_log; DROP",
    'WITH e AS (SELECT * FROM event_log) SELECT count(*) FROM e;',
    'SELECT h.model FROM rollup_hours AS h JOIN rollup_days AS d ON d.model = h.model',
    "SELECT environment FROM rollup_days WHERE environment = 'main'",
    'VALUES (1), (2)',
  ];
  for (const sql of fine) expect(read(sql)).toBeArray();
});
