import { expect, test } from 'bun:test';
import { logText } from '../src/log.ts';

test('on a terminal a line of the log is text without control characters', () => {
  const entry = {
    level: 40,
    time: 1_000,
    pid: 1,
    hostname: 'h',
    model: 'm\u001b[2J\n',
    provider: 'p\u009b',
    n: 3,
    msg: 'a model has no price',
  };
  expect(logText(JSON.stringify(entry))).toBe(
    '1970-01-01 00:00:01Z warn  a model has no price  model="m\\u001b[2J\\n"  provider=p  n=3\n',
  );
  const err = { type: 'TypeError', message: 'x is not a function', stack: 'TypeError: x\n    at y' };
  const text = logText(JSON.stringify({ level: 50, time: 0, err, msg: 'a job failed' }));
  expect(text).toStartWith(
    '1970-01-01 00:00:00Z error a job failed  err={"type":"TypeError","message":"x is not a function"',
  );
  expect(text.split('\n')).toHaveLength(2);
});
