import { expect, test } from 'bun:test';
import { readFailure } from '../../src/sdk/failure.ts';

test('a connection that broke is an error, though Node calls it aborted', () => {
  const broken = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  expect(readFailure(broken)).toEqual({
    status: 'error',
    error_code: 'ECONNRESET',
    error_message: 'aborted',
  });
  expect(readFailure(new Error('The operation was aborted')).status).toBe('cancelled');
});
