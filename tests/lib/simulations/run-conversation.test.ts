import { expect, test } from 'bun:test';
import { type Ports, runConversation } from '../../../src/lib/simulations/conversation/run-conversation.ts';
import type { Suite, Turn } from '../../../src/lib/simulations/definition.ts';
import { linesOf, plansOf } from '../../../src/lib/simulations/plan.ts';

const planOf = (scenario: Omit<Suite['scenarios'][number], 'name'>, suite: Partial<Suite> = {}) => {
  const [plan] = plansOf({ name: 'x', ...suite, scenarios: [{ name: 'one', ...scenario }] });
  if (plan === undefined) throw new Error('no plan');
  return plan;
};
const reply = { toolCalls: [], latencyMs: 5, costUsd: 0.001, traceId: null, error: null };
const portsOf = (more: Partial<Ports> = {}): Ports & { readonly log: string[] } => {
  const log: string[] = [];
  return {
    log,
    send: async ({ message, messages }) => {
      log.push(`send ${message} (${messages.length})`);
      return { ...reply, text: `re: ${message}` };
    },
    play: async (turns) => ({ text: turns.length < 2 ? `played ${turns.length}` : null, costUsd: 0.01 }),
    judge: async ({ criterion }, turns) => ({
      check: criterion,
      passed: turns.length > 1,
      reason: null,
      costUsd: 0.1,
    }),
    guardrail: async (name, text) => ({ passed: !text.includes('bad'), reason: name }),
    begun: async (no, { text }) => void log.push(`begun ${no} ${text}`),
    ended: async ({ no }) => void log.push(`ended ${no}`),
    ...more,
  };
};

test('a message is begun before it is sent, and ended after its checks', async () => {
  const ports = portsOf();
  const ended = await runConversation(planOf({ script: ['a', 'b'] }), 1, ports);
  expect(ports.log).toEqual(['begun 1 a', 'send a (1)', 'ended 1', 'begun 2 b', 'send b (3)', 'ended 2']);
  expect(ended).toMatchObject({ outcome: 'passed', costUsd: 0.002, targetCostUsd: 0.002, unknownCosts: 0 });
});

test('a conversation goes on where it was, with the same end', async () => {
  const plan = planOf({
    script: ['a', 'b', 'c'],
    criteria: [{ kind: 'contains', texts: ['re: a', 're: c'] }],
  });
  const whole = await runConversation(plan, 1, portsOf());
  for (let done = 0; done <= 3; done++) {
    const ports = portsOf();
    const resumed = await runConversation(plan, 1, ports, { turns: whole.turns.slice(0, done) });
    expect(resumed).toEqual(whole);
    expect(ports.log.filter((line) => line.startsWith('send'))).toHaveLength(3 - done);
  }
  const ports = portsOf();
  const pending = { text: 'b', costUsd: 0 };
  expect(await runConversation(plan, 1, ports, { turns: whole.turns.slice(0, 1), pending })).toEqual(whole);
  expect(ports.log[0]).toBe('send b (3)');
});

test('a played user opens as told, goes on by the model and may end; each cost counts', async () => {
  const plan = planOf({ persona: 'A tourist', openingMessages: ['hello'] }, { userModel: 'm/x' });
  const criteria = [{ kind: 'judge', criterion: 'polite' }] as const;
  const ended = await runConversation(
    { ...plan, criteria, checks: [{ kind: 'latency', maxMs: 1, turn: 'last' }] },
    1,
    portsOf(),
  );
  expect(ended.turns.map(({ user }) => user)).toEqual(['hello', 'played 1']);
  expect(ended.costUsd).toBeCloseTo(0.002 + 0.02 + 0.1, 9);
  // The check of the last turn runs, although nobody knew that it was the last.
  expect(ended.criteria.map(({ check, passed }) => [check, passed])).toEqual([
    ['within 1 ms', false],
    ['polite', true],
  ]);
});

test('a failed answer ends the conversation, a cost cap too', async () => {
  const script = ['a', 'b', 'c'];
  const broken = portsOf({ send: async () => ({ ...reply, text: '', error: 'status 500' }) });
  const failed = await runConversation(planOf({ script }), 1, broken);
  expect(failed).toMatchObject({
    outcome: 'failed',
    turns: [{ verdicts: [{ reason: 'status 500' }] }],
    criteria: [],
  });
  const capped = await runConversation(planOf({ script, costCap: 0.0015 }), 1, portsOf());
  expect(capped.turns).toHaveLength(2);
  expect(capped.criteria).toEqual([{ check: 'costs at most $0.0015', passed: false, reason: 'cost $0.002' }]);
});

test('checks of a turn look at that turn only, and guardrails of the project are asked', async () => {
  const plan = planOf(
    { script: ['a', 'bad', { user: 'c', checks: [{ kind: 'contains', texts: 'x' }] }] },
    {
      checks: [
        { kind: 'guardrail', name: 'g' },
        { kind: 'contains', texts: 'a', turn: 1 },
      ],
    },
  );
  const { turns } = await runConversation(plan, 1, portsOf());
  const failed = ({ verdicts }: Turn): string[] =>
    verdicts.filter(({ passed }) => !passed).map(({ check }) => check);
  expect(turns.map(failed)).toEqual([[], ['passes the guardrail g'], ['contains "x"']]);
  expect(turns.map(({ verdicts }) => verdicts.length)).toEqual([2, 1, 2]);
});

test('repetitions of attacks go through the whole list; variants follow the seed', () => {
  const attacks = planOf({ persona: 'injection', maxTurns: 5 });
  const all = [1, 2, 3].flatMap((repetition) => linesOf(attacks, repetition).map(({ user }) => user));
  expect(new Set(all).size).toBe(14);
  const variants = planOf({ script: [{ user: ['a', 'b', 'c', 'd'] }] }, { seed: 3 });
  const said = Array.from({ length: 20 }, (_, i) => linesOf(variants, i + 1)[0]?.user);
  expect(new Set(said).size).toBe(4);
  expect(Array.from({ length: 20 }, (_, i) => linesOf(variants, i + 1)[0]?.user)).toEqual(said);
});
