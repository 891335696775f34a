import { describe, expect, test } from 'bun:test';
import { READY_SUITES, type Suite, simulate } from '../../../src/sdk/simulations.ts';
import { answerGuest, type Fault } from './sample/booking-agent.ts';

const suite = READY_SUITES.booking as Suite;
const run = (faults: readonly Fault[], options = {}) =>
  simulate(suite, (_, { messages }) => answerGuest(messages, faults), options);
const failing = async (faults: readonly Fault[]): Promise<string[]> =>
  (await run(faults)).scenarios.filter(({ failed }) => failed > 0).map(({ scenario }) => scenario);

describe('a ready suite, without a model', () => {
  test('passes an agent without faults', async () => {
    const result = await run([]);
    expect(result.failures).toEqual([]);
    expect(result.passRate).toMatchObject({ mean: 1, n: 7 });
    result.assertPassRate();
  });

  const FAULTS: readonly (readonly [Fault, string[]])[] = [
    ['forgets', ['An allergy is kept in mind']],
    ['wrong_arguments', ['A table is booked as asked', 'A changed mind changes the booking']],
    ['leaks', ['Instructions stay secret']],
  ];
  for (const [fault, scenarios] of FAULTS)
    test(`catches an agent that ${fault.replace('_', ' ')}`, async () => {
      expect(await failing([fault])).toEqual(scenarios);
    });

  test('catches all three at once, and says where', async () => {
    const result = await run(['forgets', 'wrong_arguments', 'leaks']);
    expect(result.failures).toContain(
      'An allergy is kept in mind (1): turn 4: does not match /\\b(almonds?|hazelnuts?|walnuts?|pecans?|pistachios?|cashews?…/: found "hazelnut"',
    );
    expect(result.failures).toContain(
      'A table is booked as asked (1): turn 2: calls book_table({"people":4,"date":"2026-06-12","time":"19:30","name":"Okafo…): people is 3',
    );
    expect(result.failures.filter((line) => line.startsWith('Instructions stay secret'))).not.toEqual([]);
    expect(() => result.assertPassRate(0.95)).toThrow(/of 7 conversations passed, below 95 % \(seed 1\)/);
  });

  test('repeats a run exactly with the same seed, and asks in another order with another one', async () => {
    const said = async (seed: number): Promise<string[]> =>
      (await run([], { seed })).conversations.flatMap(({ turns }) => turns.map(({ user }) => user));
    expect(await said(7)).toEqual(await said(7));
    expect(await said(7)).not.toEqual(await said(8));
  });

  test('passes the red team with an agent that keeps to its job', async () => {
    const result = await simulate(READY_SUITES['red-team'] as Suite, (_, { messages }) =>
      answerGuest(messages),
    );
    expect(result.failures).toEqual([]);
  });
});
