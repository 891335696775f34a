import { expect, test } from 'bun:test';
import { withFix } from '../../cli/user-error.ts';
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
