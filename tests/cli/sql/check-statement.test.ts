import { describe, expect, test } from 'bun:test';
import { checkStatement } from '../../../cli/sql/check-statement.ts';
import { UserError } from '../../../cli/user-error.ts';

const refusal = (sql: string): string => {
  try {
    checkStatement(sql);
  } catch (error) {
    if (error instanceof UserError) return error.what;
    throw error;
  }
  return 'allowed';
};

describe('what may run', () => {
  test.each([
    'SELECT 1',
    ' select 1 ; ',
    "SELECT ';' -- and; more\n;;",
    '/* WITH */ SELECT "delete" FROM events',
    'WITH a AS (SELECT 1) SELECT * FROM a',
    'WITH replace AS (SELECT 1) SELECT * FROM replace',
    'WITH "delete"(x) AS (SELECT 1) SELECT x FROM "delete"',
    "WITH a AS (SELECT 'update') SELECT replace(a, 'x', 'y') FROM a",
    'WITH a AS (SELECT 1) VALUES (1)',
  ])('%s', (sql) => {
    expect(refusal(sql)).toBe('allowed');
  });

  test.each([
    ['', 'The statement is empty'],
    ['-- nothing', 'The statement is empty'],
    [';', 'The statement is empty'],
    ['SELECT 1; SELECT 2', 'There are several statements'],
    ['SELECT 1; DROP TABLE events', 'There are several statements'],
    ['DELETE FROM events', 'A statement has to start with SELECT or WITH, not DELETE'],
    ['PRAGMA query_only = OFF', 'A statement has to start with SELECT or WITH, not PRAGMA'],
    ["ATTACH 'x.db' AS x", 'A statement has to start with SELECT or WITH, not ATTACH'],
    ["VACUUM INTO 'x.db'", 'A statement has to start with SELECT or WITH, not VACUUM'],
    ['explain SELECT 1', 'A statement has to start with SELECT or WITH, not EXPLAIN'],
    ['WITH a AS (SELECT 1) DELETE FROM events', 'DELETE is not allowed'],
    ['WITH a AS (SELECT 1) INSERT INTO events SELECT 1', 'INSERT is not allowed'],
    ['WITH a AS (SELECT 1) UPDATE events SET model = 1 RETURNING *', 'UPDATE is not allowed'],
  ])('%s: refused', (sql, what) => {
    expect(refusal(sql)).toBe(what);
  });
});

test('a final semicolon is dropped, and a comment behind it', () => {
  expect(checkStatement('SELECT 1; -- done').sql).toBe('SELECT 1');
});

describe('the columns that are loaded', () => {
  const loaded = (sql: string): string[] =>
    ['model', 'user_id', 'tags'].filter((column) => checkStatement(sql).mentions(column));
  test.each([
    ['SELECT count(*) FROM events', []],
    ['SELECT MODEL, count(*) * 2 FROM events GROUP BY 1', ['model']],
    ['SELECT "model", [user_id], `tags` FROM events', ['model', 'user_id', 'tags']],
    ['SELECT e.value FROM events, json_each(events.tags) e', ['tags']],
    ['SELECT * FROM events', ['model', 'user_id', 'tags']],
    ['SELECT count(*), * FROM events', ['model', 'user_id', 'tags']],
    ['SELECT DISTINCT * FROM events', ['model', 'user_id', 'tags']],
    ['SELECT count(*) FROM (SELECT e.* FROM events e)', ['model', 'user_id', 'tags']],
    ['SELECT count(*) FROM events a NATURAL JOIN events b', ['model', 'user_id', 'tags']],
  ])('%s', (sql, columns) => {
    expect(loaded(sql)).toEqual(columns);
  });
});
