import { expect, test } from 'bun:test';
import { createPlaces } from '../../src/http/places.ts';

const open = () =>
  createPlaces({ requests: 4, bytes: 100, refuse: (seconds) => new Error(`full for ${seconds} s`) });
const acme = { owner: 'acme', member: 'key 1' };
const globex = { owner: 'globex', member: 'key 2' };

test('a sender alone can use all places, and is refused beyond them', () => {
  const places = open();
  const own = [1, 2, 3, 4].map(() => places.enter(acme));
  expect(() => places.enter(acme)).toThrow('full for 1 s');
  own[0]?.leave();
  places.enter(acme);
  expect(own.some(({ signal }) => signal.aborted)).toBe(false);
});

test('the newest of the owner with most gives up its place, unless it is worked on', () => {
  const places = open();
  const own = [1, 2, 3, 4].map(() => places.enter(acme));
  own[3]?.keep();
  places.enter(globex);
  expect(own.map(({ signal }) => signal.aborted)).toEqual([false, false, true, false]);
});

test('within an owner the member with most gives up a place', () => {
  const places = open();
  const first = places.enter({ ...acme, member: 'key 3' });
  const more = [1, 2, 3].map(() => places.enter(acme));
  places.enter(globex);
  expect(first.signal.aborted).toBe(false);
  expect(more.map(({ signal }) => signal.aborted)).toEqual([false, false, true]);
});

test('bytes count while they are held, and the owner with most of them gives up a place', () => {
  const places = open();
  const [large, small] = [places.enter(acme), places.enter(globex)];
  large.hold(80);
  small.hold(30);
  expect([large.signal.aborted, small.signal.aborted]).toEqual([true, false]);
  // What arrives late for it counts no more, neither now nor when it leaves.
  large.hold(1_000);
  large.leave();
  small.hold(70);
  expect(small.signal.aborted).toBe(false);
  expect(() => small.hold(1)).toThrow('full');
  places.enter(acme).hold(100);
});
