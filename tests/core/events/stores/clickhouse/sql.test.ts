import { expect, test } from 'bun:test';
import { type Condition, parseFilter } from '../../../../../src/core/events/filter/contract.ts';
import {
  all,
  any,
  int,
  ints,
  keys,
  render,
  sql,
  text,
  texts,
} from '../../../../../src/core/events/stores/clickhouse/engine/sql.ts';
import { selected } from '../../../../../src/core/events/stores/clickhouse/reads/conditions.ts';
import {
  changeVersion,
  receiptVersion,
} from '../../../../../src/core/events/stores/clickhouse/rows/to-row.ts';

const HOSTILE = "'; DROP TABLE events; -- \\";

test('a value is a parameter, numbered in order, and never a part of the text', () => {
  const piece = sql`model = ${text(HOSTILE)}`;
  expect(render(sql`SELECT 1 WHERE ${piece} AND ts < ${int(5)}`)).toEqual({
    query: 'SELECT 1 WHERE model = {p0:String} AND ts < {p1:Int64}',
    params: { p0: HOSTILE, p1: 5 },
  });
});

test('texts of a list are literals in quotes', () => {
  expect(render(sql`id IN ${texts(['a', HOSTILE])}`).query).toBe(
    "id IN ('a', '\\'; DROP TABLE events; -- \\\\')",
  );
  expect(render(keys([{ project: 1, ts: 2, id: "x'" }])).query).toBe("((1, 2, 'x\\''))");
});

test('an empty list matches nothing, no conditions hold, and none of no conditions does', () => {
  expect(render(texts([])).query).toBe('(NULL)');
  expect(render(ints([])).query).toBe('(NULL)');
  expect(render(all([])).query).toBe('1');
  expect(render(any([])).query).toBe('0');
});

test('a number that is not whole is refused', () => {
  expect(() => int(1.5)).toThrow('not a whole number');
  expect(() => ints([Number.NaN])).toThrow('not a whole number');
});

test('the first receipt of an event has the greatest version of all receipts, and a change a greater one', () => {
  const [first, later] = [receiptVersion(1_000, 0), receiptVersion(2_000, 0xf_ffff)].map(BigInt);
  const [change, next] = [changeVersion(1), changeVersion(2)].map(BigInt);
  expect((first as bigint) > (later as bigint)).toBe(true);
  expect((change as bigint) > (first as bigint) && (next as bigint) > (change as bigint)).toBe(true);
  expect((next as bigint) < 2n ** 64n).toBe(true);
});

test('a condition on scores is one on the traces, spans and sessions that it holds for', () => {
  const [condition] = parseFilter('score.helpful:true');
  const targets = [{ project: 7, traces: ['t'], spans: [['u', 's']], sessions: ["it's"] }];
  const where = [{ ...condition, targets }] as unknown as Condition[];
  expect(render(selected({ filters: { where }, calls: true })).query).toContain(
    "(trace_id IN ('t')) OR ((trace_id, span_id) IN (('u', 's'))) OR (ifNull(session_id, '') IN ('it\\'s'))",
  );
  expect(() => selected({ filters: { where: parseFilter('score.helpful:true') }, calls: true })).toThrow(
    'score.helpful cannot be used here',
  );
});
