import { expect, test } from 'bun:test';
import { toUserError } from '../../cli/exit.ts';
import { fromErrorData, toErrorData } from '../../src/db/error-data.ts';
import { AppError, badRequest, unavailable } from '../../src/errors.ts';

const sent = (error: unknown): Error => fromErrorData(structuredClone(toErrorData(error)));

test('an error keeps what callers see of it on its way between threads', () => {
  const error = sent(unavailable('Busy', 7));
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ status: 503, message: 'Busy', headers: { 'Retry-After': '7' } });
  const refused = sent(badRequest('name: is missing'));
  expect(refused).toMatchObject({ status: 400, message: 'name: is missing' });
  expect(refused.cause).toBeUndefined();
});

test('a command names a full disk and its remedy, also if the writer met it', async () => {
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  const error = await toUserError(sent(unavailable('The disk is full; nothing was stored', 1, full)));
  expect(error).toMatchObject({
    code: 'disk_full',
    fix: 'Free some space; no acknowledged event is lost',
  });
});
