import { expect, test } from 'bun:test';
import Libsql from 'libsql';
import type { OwnedTable } from '../../../src/db/owned-table.ts';
import { scopeSql } from '../../../src/db/remote/scope-sql.ts';

const tables = new Map<string, OwnedTable | undefined>([
  ['scores', { name: 'scores', scope: 'project', by: 'project', key: ['id'], readable: true }],
  ['months', { name: 'months', scope: 'organization', by: 'organization_id', key: ['id'], readable: true }],
  ['models', { name: 'models', scope: 'public', key: ['id'], readable: true }],
  ['secrets', { name: 'secrets', scope: 'project', by: 'project', key: ['id'] }],
  ['others', undefined],
]);

const db = new Libsql(':memory:');
db.exec(`
  CREATE TABLE scores (id INTEGER, project INTEGER);
  INSERT INTO scores VALUES (1, 1), (2, 2), (3, 3);
  CREATE TABLE months (id INTEGER, organization_id TEXT);
  INSERT INTO months VALUES (1, 'own'), (2, 'o''ther');
  CREATE TABLE models (id INTEGER); INSERT INTO models VALUES (1), (2);
  CREATE TABLE secrets (id INTEGER, project INTEGER); INSERT INTO secrets VALUES (1, 1);
  CREATE TABLE others (id INTEGER); INSERT INTO others VALUES (1);
`);
const read = (sql: string, organizationId: string | null = 'own', args: unknown[] = []): unknown[] =>
  db
    .prepare(scopeSql(sql, { projects: [1, 3], organizationId }, tables))
    .raw(true)
    .all(args as never)
    .flat() as unknown[];

test.each([
  ['SELECT id FROM scores ORDER BY id', [1, 3]],
  ['select ID from "Scores" order by 1', [1, 3]],
  ['SELECT count(*) FROM scores AS a JOIN [scores] AS b', [4]],
  ['WITH own AS (SELECT * FROM scores) SELECT max(id) + (SELECT count(*) FROM scores) FROM own', [5]],
  [
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT count(*) FROM n JOIN scores ON id = i',
    [2],
  ],
  ['SELECT id FROM (SELECT * FROM scores) WHERE EXISTS (SELECT 1 FROM models) ORDER BY 1', [1, 3]],
  ['SELECT id FROM scores UNION SELECT id + 10 FROM models ORDER BY 1', [1, 3, 11, 12]],
  ['/* scores */ SELECT id -- scores\n FROM models', [1, 2]],
  ['SELECT id FROM months', [1]],
  ['SELECT count(*) FROM secrets', [0]],
  ['SELECT count(*) FROM others', [0]],
  ['VALUES ((SELECT count(*) FROM scores))', [2]],
  ['SELECT 1', [1]],
])('%s sees only the rows of the scope', (sql, rows) => {
  expect(read(sql)).toEqual(rows);
});

test('the places of arguments stay', () => {
  expect(read('SELECT id FROM scores WHERE id > ? AND id < ?', 'own', [1, 9])).toEqual([3]);
});

test('a quote in the id of an organization stays a quote', () => {
  expect(read('SELECT id FROM months', "o'ther")).toEqual([2]);
  expect(read('SELECT count(*) FROM months', "x' OR '1'='1")).toEqual([0]);
});

test('without an organization none of its rows is seen', () => {
  expect(read('SELECT count(*) FROM months', null)).toEqual([0]);
});

test('a plan is that of the scoped statement', () => {
  const plan = scopeSql(
    'EXPLAIN QUERY PLAN SELECT * FROM scores',
    { projects: [1], organizationId: null },
    tables,
  );
  expect(plan).toStartWith('EXPLAIN QUERY PLAN WITH "scores" AS');
});

test('a query cannot put its own table of the same name before that of the scope', () => {
  expect(() => read('WITH scores AS (SELECT 2 AS id) SELECT id FROM scores')).toThrow(
    /duplicate WITH table name/,
  );
});
