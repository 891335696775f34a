import { expect, test } from 'bun:test';
import { createRefusalHold } from '../../src/http/hold-refusals.ts';

const refusal = (): Response => new Response(null, { status: 429, headers: { 'Retry-After': '1' } });

test('refusals beyond the free ones of a second are held, other replies are not', async () => {
  const hold = createRefusalHold({ free: 3, holdMs: 5 });
  const replies = Array.from({ length: 5 }, () => hold(refusal()));
  expect(replies.map((reply) => reply instanceof Response)).toEqual([true, true, true, false, false]);
  const found = new Response(null, { status: 404 });
  expect(hold(found)).toBe(found);
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
});
