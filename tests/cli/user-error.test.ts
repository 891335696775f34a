import { expect, test } from 'bun:test';
import { splitMessage, withFix } from '../../cli/user-error.ts';
import { badRequest, conflict } from '../../src/errors.ts';

test('what a file holds is refused with a remedy for the file; other failures stay as they are', async () => {
  const refused = withFix('Pass the export as the provider wrote it', async () => {
    throw badRequest('the export has no rows');
  });
  expect(await refused.catch((error: unknown) => error)).toMatchObject({
    what: 'the export has no rows',
    fix: 'Pass the export as the provider wrote it',
    exit: 2,
  });
  const taken = conflict('taken');
  const failed = withFix('x', async () => {
    throw taken;
  });
  expect(await failed.catch((error: unknown) => error)).toBe(taken);
  expect(await withFix('x', async () => 5)).toBe(5);
});

test.each([
  ['There is no folder x; make it first', 'There is no folder x', 'Make it first'],
  ['There is no folder x', 'There is no folder x', 'general'],
  ['a; b. Send "c": true', 'a; b. Send "c": true', 'general'],
  ['moved to a; or delete b', 'moved to a; or delete b', 'general'],
])('%p says what is wrong and how to fix it', (message, what, fix) => {
  expect(splitMessage(message, 'general')).toEqual({ what, fix });
});
