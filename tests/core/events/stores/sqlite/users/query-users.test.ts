import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import { FAILED_STATUSES, type Window } from '../../../../../../src/core/events/index.ts';
import type { LabelGroup } from '../../../../../../src/core/events/stores/sqlite/labels/query-labels.ts';
import { queryUsers } from '../../../../../../src/core/events/stores/sqlite/users/query-users.ts';
import { createRandom } from '../../../../../helpers/random.ts';
import { type Ledger, NOON, openLedger } from '../../../ledger.ts';
import { randomEvents } from '../../../random-events.ts';

const DAY = 86_400_000;
const START = NOON - 20 * DAY;
let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger(4);
});
afterAll(() => ledger.close());

type Sums = LabelGroup['sums'];
const NOTHING: Sums = {
  requests: 0,
  errors: 0,
  cost_nano: 0,
  unpriced: 0,
  input_tokens: 0,
  cache_read_tokens: 0,
  output_tokens: 0,
};

/** What each user's calls add up to in a window, counted one by one; under null those of nobody. */
function recount(
  events: readonly PricedEvent[],
  { from, to }: Window,
): Map<string | null, { sums: Sums; costs: number[] }> {
  const first = Math.floor(from / DAY);
  const days = Math.max(0, Math.ceil(to / DAY) - first);
  const users = new Map<string | null, { sums: Sums; costs: number[] }>();
  for (const { ts, is_call, user_id, status, cost_nano, cost_status, buckets } of events) {
    if (!is_call || ts < from || ts >= to) continue;
    const { sums, costs } = users.get(user_id) ?? { sums: NOTHING, costs: Array<number>(days).fill(0) };
    const cost = cost_nano ?? 0;
    const place = Math.floor(ts / DAY) - first;
    users.set(user_id, {
      sums: {
        requests: sums.requests + 1,
        errors: sums.errors + ((FAILED_STATUSES as readonly string[]).includes(status) ? 1 : 0),
        cost_nano: sums.cost_nano + cost,
        unpriced: sums.unpriced + (cost_status === 'unpriced' ? 1 : 0),
        input_tokens:
          sums.input_tokens + buckets.fresh + buckets.cacheRead + buckets.cacheWrite5m + buckets.cacheWrite1h,
        cache_read_tokens: sums.cache_read_tokens + buckets.cacheRead,
        output_tokens: sums.output_tokens + buckets.output + buckets.reasoning,
      },
      costs: costs.with(place, (costs[place] ?? 0) + cost),
    });
  }
  return users;
}

const plain = ({ sums, costs }: Pick<LabelGroup, 'sums' | 'costs'>): object => ({ sums, costs: [...costs] });

test('costs by user are those of a recount in any window, whatever of it is sealed', async () => {
  for (const project of ledger.projects) {
    const random = createRandom(project);
    const users = 1 + Math.floor(random() * 40);
    const events = randomEvents(project, 600, START, NOON + DAY).map(
      (event): PricedEvent => ({
        ...event,
        user_id: random() < 0.1 ? null : `user-${Math.floor(random() * users)}`,
      }),
    );
    for (let at = 0; at < events.length; at += 100) {
      await ledger.record(project, events.slice(at, at + 100));
      if (random() < 0.6) await ledger.seal(project);
    }
    for (let i = 0; i < 40; i++) {
      const from = START + Math.floor(random() * 20 * DAY);
      const length = random() < 0.3 ? Math.floor(random() * DAY) : Math.floor(random() * 20 * DAY);
      const window = i % 5 === 0 ? wholeDays(from, length) : { from, to: from + length };
      const wanted = recount(events, window);
      const { nobody, others, users: told } = queryUsers(ledger.reader(project), window, 1_000);
      const days = Math.max(0, Math.ceil(window.to / DAY) - Math.floor(window.from / DAY));
      const none = { sums: NOTHING, costs: Array<number>(days).fill(0) };
      expect(plain(nobody)).toEqual(wanted.get(null) ?? none);
      expect(others).toMatchObject({ users: 0 });
      wanted.delete(null);
      expect(new Map(told.map((group) => [group.value, plain(group)]))).toEqual(new Map(wanted));
      expect(told.map(({ sums }) => sums.cost_nano)).toEqual(
        [...wanted.values()].map(({ sums }) => sums.cost_nano).sort((a, b) => b - a),
      );
    }
  }
});

test('those who are not told one by one are told together', () => {
  const window = { from: START + 12_345, to: NOON };
  const all = queryUsers(ledger.reader(1), window, 1_000);
  const some = queryUsers(ledger.reader(1), window, 3);
  expect(some.users).toEqual(all.users.slice(0, 3));
  expect(some.others.users).toBe(all.users.length - 3);
  expect(some.nobody).toEqual(all.nobody);
  const rest = all.users.slice(3);
  expect(some.others.group.sums.cost_nano).toBe(rest.reduce((sum, { sums }) => sum + sums.cost_nano, 0));
  expect(some.others.group.sums.requests).toBe(rest.reduce((sum, { sums }) => sum + sums.requests, 0));
  expect([...some.others.group.costs]).toEqual(
    some.others.group.costs.length === 0
      ? []
      : Array.from(some.others.group.costs, (_, day) =>
          rest.reduce((sum, { costs }) => sum + (costs[day] ?? 0), 0),
        ),
  );
});

test('a project without events has no users', () => {
  const { users, others } = queryUsers(ledger.reader(9), { from: START, to: NOON }, 10);
  expect([users, others.users]).toEqual([[], 0]);
});

function wholeDays(from: number, length: number): Window {
  const first = Math.floor(from / DAY) * DAY;
  return { from: first, to: first + (1 + Math.floor(length / DAY)) * DAY };
}
