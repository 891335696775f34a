import { expect, test } from 'bun:test';
import { toUserError } from '../../cli/exit.ts';
import { someNames } from '../../cli/list/names.ts';
import { withFix } from '../../cli/user-error.ts';
import { badRequest, conflict, notFound, unavailable } from '../../src/errors.ts';

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
  [notFound('There is no folder /b; make it first'), 'There is no folder /b', 'Make it first'],
  [unavailable('No model is set. The operator sets A'), 'No model is set', 'The operator sets A'],
  [unavailable('The disk is full; nothing was stored'), 'The disk is full; nothing was stored', 'Try again'],
  [conflict('moved to a; or delete b'), 'moved to a; or delete b', 'Look at'],
  [conflict('a matches more than one b: c, d. Use the id'), 'a matches more than one b: c, d', 'Use the id'],
  [
    notFound('There is no a; did you mean b?'),
    'There is no a; did you mean b?',
    'Check the id or name; the ',
  ],
])('the remedy that a message ends with is the one that is shown: %s', async (error, what, fix) => {
  const shown = await toUserError(error);
  expect(shown).toMatchObject({ what, fix: expect.stringContaining(fix) });
});

test('of those that share a name the ids are named', () => {
  const rows = [
    { id: 'prj_1', name: 'a' },
    { id: 'prj_2', name: 'b' },
    { id: 'prj_3', name: 'a' },
  ];
  expect(someNames(rows)).toBe('prj_1 (a), b, prj_3 (a)');
});
