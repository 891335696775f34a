import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openReadConnection } from '../../src/db/connection.ts';
import { openReadSession, type ReadSession } from '../../src/db/reader.ts';
import { isHiddenName } from '../../src/db/tenant-sql.ts';
import { tables } from '../../src/features.ts';
import { openTestApp, type Tenant, type TestApp } from '../helpers/app.ts';

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
    const events = [1, 2, 3].map(() => ({
      ...call,
      user_id,
      model: user_id,
      tags: { user_id },
      release: user_id,
    }));
    events.push({ ...call, event_id: crypto.randomUUID(), user_id } as never, { provider: user_id } as never);
    const reply = await world.fetch('/v1/ingest', { apiKey: tenant.apiKey, events });
    expect(reply.status).toBe(202);
  }
  session = openReadSession(world.ctx.db.path, tables);
  const numbers = readAll('SELECT id, no FROM projects').map(([id, no]) => [id, Number(no)] as const);
  const noOf = (tenant: Tenant) => numbers.find(([id]) => id === tenant.projectId)?.[1] ?? 0;
  own = { no: noOf(world.seed), otherNo: noOf(other) };
});
afterAll(async () => {
  session.close();
  await world.close();
});

/** As the file is, without a scope. */
function readAll(sql: string): unknown[][] {
  const connection = openReadConnection(world.ctx.db.path);
  try {
    return connection.prepare(sql).raw(true).all([]) as unknown[][];
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
    expect(seen).toContain('events');
    expect(seen).toContain('audit_log');
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

  test('sees nothing of an organization when it is opened for projects only', () => {
    expect(session.open([own.no]).rows('SELECT * FROM audit_log')).toEqual([]);
    expect(session.open([own.no]).rows('SELECT * FROM events')).not.toEqual([]);
  });

  test('follows its scope from one read to the next', () => {
    const count = (no: number) => Number(session.open([no]).rows('SELECT count(*) FROM events')[0]?.[0]);
    expect([count(own.no), count(own.otherNo), count(own.no), count(999)]).toEqual([4, 4, 4, 0]);
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
  ...['events', 'users', 'api_keys', 'audit_log'].flatMap((table) =>
    behind.map((name) => `SELECT * FROM ${name.replace('T', table)}`),
  ),
  'SELECT * FROM users',
  'SELECT token FROM sessions',
  'SELECT * FROM events UNION ALL SELECT * FROM main.events',
  'SELECT (SELECT group_concat(user_id) FROM main.events)',
  'SELECT * FROM events WHERE project = 2 OR 1 = 1',
  "SELECT * FROM events WHERE user_id LIKE '%' --' AND project = 1",
  'WITH scope(project) AS (SELECT 2) SELECT * FROM events',
  'WITH scope_organizations(organization_id) AS (SELECT organization_id FROM audit_log) SELECT * FROM audit_log',
  'WITH events AS (SELECT * FROM main.events) SELECT * FROM events',
  'INSERT INTO temp.scope VALUES (2)',
  'INSERT INTO scope VALUES (2)',
  'WITH x AS (SELECT 2) INSERT INTO scope SELECT * FROM x',
  'WITH x AS (SELECT 2) DELETE FROM scope',
  'REPLACE INTO scope VALUES (2)',
  'DROP VIEW events',
  'DROP VIEW temp.events',
  'CREATE TEMP VIEW mine AS SELECT * FROM main.events',
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
  'EXPLAIN SELECT * FROM main.events',
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
  expect(Number(read('SELECT count(*) FROM events')[0]?.[0])).toBe(4);
  expect(read('SELECT DISTINCT project FROM events')).toEqual([[own.no]]);
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
    "SELECT 'main', 'temp', 'it''s; fine' AS \"a;b\" -- main.events; DROP",
    'WITH e AS (SELECT * FROM events) SELECT count(*) FROM e;',
    'SELECT e.model FROM events AS e JOIN rollup_days AS d ON d.model = e.model',
    "SELECT environment FROM events WHERE environment = 'main'",
    'VALUES (1), (2)',
  ];
  for (const sql of fine) expect(read(sql)).toBeArray();
});
