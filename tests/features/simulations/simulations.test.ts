import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { sql as rawSql } from 'drizzle-orm';
import type { SimulationDetail } from '../../../src/features/simulations/contract.ts';
import type {
  SimulatedConversation,
  SimulationRun,
  SimulationRunDetail,
  SimulationTranscript,
} from '../../../src/features/simulations/runs/contract.ts';
import { READY_SUITES } from '../../../src/lib/simulations/suites/ready-suites.ts';
import { type Lab, openLab } from '../experiments/world.ts';
import { type AgentServer, startAgent } from './agent-server.ts';

let lab: Lab;
let agent: AgentServer;
beforeAll(async () => {
  lab = await openLab();
  agent = startAgent();
});
afterEach(() => {
  agent.faults = [];
  agent.answer = null;
  agent.requests.length = 0;
});
afterAll(async () => {
  await lab.close();
  agent.close();
});

const mapping = {
  text: 'answer',
  toolCalls: 'actions',
  toolName: 'tool',
  toolArguments: 'args',
  costUsd: 'usd',
};
const http = () => ({ kind: 'http', url: `${agent.url}/chat`, reply: mapping });
let count = 0;
const create = (suite: object) =>
  lab.send<SimulationDetail>('POST', 'simulations', { suite: { name: `Suite ${++count}`, ...suite } });
async function run(suite: object, wish: object = {}): Promise<SimulationRunDetail> {
  const { id } = await create(suite);
  return until((await lab.send<SimulationRun>('POST', `simulations/${id}/runs`, wish)).id);
}
async function until(id: string, status = 'completed'): Promise<SimulationRunDetail> {
  for (;;) {
    const found = await lab.send<SimulationRunDetail>('GET', `simulations/runs/${id}`);
    if (found.status === status) return found;
    if (found.status !== 'running') throw new Error(`the run is ${found.status}: ${found.error}`);
    await Bun.sleep(20);
  }
}
const conversations = async (id: string, query = ''): Promise<SimulatedConversation[]> =>
  (
    await lab.send<{ conversations: SimulatedConversation[] }>(
      'GET',
      `simulations/runs/${id}/conversations?limit=100${query}`,
    )
  ).conversations;
const transcript = (id: string, no = 1) =>
  lab.send<SimulationTranscript>('GET', `simulations/runs/${id}/conversations/${no}`);
const failing = ({ scenarios }: SimulationRunDetail): string[] =>
  scenarios.filter(({ failed }) => failed > 0).map(({ scenario }) => scenario);

describe('a ready suite against an agent behind HTTP', () => {
  test('finds the three planted faults, and passes the agent without them', async () => {
    const suite = { ...READY_SUITES.booking, target: http() };
    const clean = await run(suite);
    expect(failing(clean)).toEqual([]);
    expect(clean.passRate).toMatchObject({ mean: 1, n: 7 });
    agent.faults = ['forgets', 'wrong_arguments', 'leaks'];
    const broken = await until(
      (await lab.send<SimulationRun>('POST', `simulations/${clean.simulationId}/runs`, {})).id,
    );
    expect(failing(broken)).toEqual([
      'An allergy is kept in mind',
      'A table is booked as asked',
      'A changed mind changes the booking',
      'Instructions stay secret',
    ]);
    expect(broken.baselineId).toBe(clean.id);
    expect(broken.scenarios.map(({ change }) => change)).toEqual([
      'broken',
      'broken',
      'broken',
      'broken',
      'same',
    ]);
    expect(broken.comparison?.metrics[0]).toMatchObject({
      name: 'passRate',
      baseline: 1,
      losses: 4,
      ties: 1,
    });
    const [first] = await conversations(broken.id, '&outcome=failed');
    expect(first).toMatchObject({ no: 1, failure: expect.stringContaining('turn 4: does not match') });
    const { transcript: turns } = await transcript(broken.id, 2);
    expect(turns[1]?.toolCalls).toMatchObject([{ name: 'book_table', arguments: { people: 3 } }]);
    expect(turns[1]?.verdicts.at(-1)).toMatchObject({ passed: false, reason: 'people is 3' });
    expect(turns[1]).toMatchObject({ costUsd: 0.001, error: null, traceId: null });
  });

  test('the same seed sends the same messages', async () => {
    const suite = { target: http(), scenarios: [{ name: 'i', persona: 'injection', repetitions: 3 }] };
    const messages = async (seed: number): Promise<unknown[]> => {
      agent.requests.length = 0;
      await run(suite, { seed, concurrency: 1 });
      return agent.requests.map(({ body }) => body.message);
    };
    const first = await messages(5);
    expect(first).toHaveLength(15);
    expect(await messages(5)).toEqual(first);
    expect(await messages(6)).not.toEqual(first);
  });
});

describe('targets', () => {
  const booking = { script: ['A table for two on 2026-07-01 at 18:00 in the name of Lind, please book.'] };
  const criteria = [{ kind: 'tool_call', tool: 'book_table', arguments: { people: 2, name: 'Lind' } }];
  for (const stream of [false, true])
    test(`OpenAI's chat completions, ${stream ? 'streamed' : 'whole'}`, async () => {
      const target = { kind: 'openai', url: `${agent.url}/v1`, model: 'nora', system: 'Be nice.', stream };
      const done = await run({ target, scenarios: [{ name: 'b', ...booking, criteria }] });
      expect(done.passRate?.mean).toBe(1);
      expect(done.targetCostUsd).toBe(0.002);
      const { transcript: turns } = await transcript(done.id);
      expect(turns[0]?.answer).toBe('Your table is booked, Lind.');
      expect(agent.requests[0]?.body.messages[0]).toEqual({ role: 'system', content: 'Be nice.' });
    });

  test('tools that the suite answers are answered until the target has an answer', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'find', arguments: '{"q":"x"}' } };
    agent.answer = ({ body }) =>
      Response.json({
        choices: [
          {
            message: body.messages.some(({ role }) => role === 'tool')
              ? { content: 'Found 3.' }
              : { content: null, tool_calls: [call] },
          },
        ],
      });
    const target = { kind: 'openai', url: agent.url, model: 'm', toolResults: { find: { hits: 3 } } };
    const done = await run({ target, scenarios: [{ name: 'f', script: ['Find x', 'And y?'] }] });
    expect(
      (await transcript(done.id)).transcript.map(({ answer, toolCalls }) => [answer, toolCalls]),
    ).toEqual([
      ['Found 3.', [{ id: 'c1', name: 'find', arguments: { q: 'x' }, result: '{"hits":3}' }]],
      ['Found 3.', []],
    ]);
    expect(agent.requests[1]?.body.messages.at(-1)).toEqual({
      role: 'tool',
      tool_call_id: 'c1',
      content: '{"hits":3}',
    } as never);
  });

  test('a body of its own, a secret in a header, and the ids of the request', async () => {
    const { id } = await create({
      target: {
        ...http(),
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a header names a secret so
        headers: { authorization: 'Bearer ${AGENT_KEY}' },
        body: {
          q: 'Q: {{message}}',
          n: '{{turn}}',
          thread: { id: '{{conversationId}}' },
          messages: '{{messages}}',
        },
      },
      scenarios: [{ name: 'a', script: ['Hello', 'Again'] }],
    });
    expect(await lab.refused('POST', `simulations/${id}/runs`, {})).toEqual([
      400,
      'The header names the secret AGENT_KEY, which is not set; an admin sets it on the page of the suite',
    ]);
    await lab.send('PUT', `simulations/${id}/secrets/AGENT_KEY`, {
      value: 'sk-1',
      origin: 'https://other.example',
    });
    expect((await lab.refused('POST', `simulations/${id}/runs`, {}))[1]).toStartWith(
      'The secret AGENT_KEY is for https://other.example, not for',
    );
    await lab.send('PUT', `simulations/${id}/secrets/AGENT_KEY`, { value: 'sk-1' });
    const shown = await lab.send<SimulationDetail>('GET', `simulations/${id}`);
    expect(shown.secrets).toEqual([{ name: 'AGENT_KEY', origin: agent.url }]);
    expect(JSON.stringify(shown)).not.toContain('sk-1');
    const done = await until((await lab.send<SimulationRun>('POST', `simulations/${id}/runs`, {})).id);
    expect(done.passRate?.mean).toBe(1);
    const [first, second] = agent.requests;
    expect(first?.headers.get('authorization')).toBe('Bearer sk-1');
    expect(first?.body).toMatchObject({ q: 'Q: Hello', n: 1 } as never);
    const thread = ({ body }: (typeof agent.requests)[number]): unknown => Reflect.get(body, 'thread');
    expect(new Set(agent.requests.map((one) => JSON.stringify(thread(one)))).size).toBe(1);
    expect(first?.headers.get('idempotency-key')).not.toBe(second?.headers.get('idempotency-key'));
    expect(first?.headers.get('traceparent')).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });

  test('a target that fails, does not answer in time, or says something else fails its conversation and says how', async () => {
    const failure = async (answer: NonNullable<AgentServer['answer']>, more: object = {}) => {
      agent.answer = answer;
      const done = await run({
        target: { ...http(), ...more },
        scenarios: [{ name: 'a', script: ['x', 'y'] }],
      });
      expect(agent.requests.splice(0)).toHaveLength(1);
      return done.scenarios[0]?.failure;
    };
    expect(await failure(() => new Response('busy', { status: 503 }))).toBe(
      'turn 1: answers: The target answered 503: busy',
    );
    expect(
      await failure(() => new Response('<html>', { headers: { 'content-type': 'text/html' } })),
    ).toContain('The reply is not JSON: <html>');
    expect(await failure(() => Response.json({ text: 'x' }))).toContain(
      'The reply has no text at answer: {"text":"x"}',
    );
    expect(await failure(() => new Promise(() => {}), { timeoutMs: 100 })).toContain(
      'The host did not reply in time',
    );
  });

  test('a prompt version with a played user and a judge: each call is in the books once', async () => {
    await lab.send('POST', 'prompts', {
      name: 'clerk',
      messages: [{ role: 'system', content: 'You work for {{shop}}.' }],
      config: { model: 'gpt-4o-mini' },
      labels: ['production'],
    });
    let judged = '';
    lab.provider.answer = ({ body, model }) => {
      const text = JSON.stringify(body.messages);
      if (model === 'gpt-4o') {
        judged = text;
        return { text: ['{"reason":"polite","value":true}'], usage: { input: 300, output: 20 } };
      }
      if (text.includes('You play a person')) {
        const isDone = text.includes('lamp.');
        return { text: [isDone ? '[END]' : 'I look for a lamp.'], usage: { input: 200, output: 10 } };
      }
      return {
        text: [text.includes('lamp.') ? 'We have lamp. A' : 'Hello'],
        usage: { input: 100, output: 10 },
      };
    };
    const done = await run({
      target: { kind: 'prompt', prompt: 'clerk', variables: { shop: 'Lux' } },
      userModel: 'openai/gpt-4o-mini',
      judgeModel: 'openai/gpt-4o',
      criteria: [{ kind: 'judge', criterion: 'The assistant is polite.' }],
      scenarios: [
        { name: 'lamp', persona: 'A student', goal: 'A lamp', openingMessages: ['Hi'], repetitions: 2 },
      ],
    });
    expect(done.passRate).toMatchObject({ mean: 1, n: 2 });
    expect(judged).toContain('I look for a lamp.');
    const { transcript: turns, criteria } = await transcript(done.id);
    expect(turns.map(({ user, answer }) => [user, answer])).toEqual([
      ['Hi', 'Hello'],
      ['I look for a lamp.', 'We have lamp. A'],
    ]);
    expect(criteria).toEqual([{ check: 'The assistant is polite.', passed: true, reason: 'polite' }]);
    expect(turns.every(({ isTraceStored, traceId }) => isTraceStored && traceId !== null)).toBe(true);
    const { total } = await lab.send<{ total: { values: { cost: number; requests: number } } }>(
      'POST',
      'metrics/query',
      {
        measures: ['cost', 'requests'],
        filter: `tags.simulation:${done.id}`,
        start: new Date(lab.world.clock.now() - 60_000).toISOString(),
        end: new Date(lab.world.clock.now() + 60_000).toISOString(),
      },
    );
    // Of each repetition: two answers, two messages of the user and its end, one judgement.
    expect(total.values.requests).toBe(2 * 5);
    expect(Math.round(total.values.cost * 1e9)).toBe(Math.round(done.costUsd * 1e9));
  });
});

describe('a run', () => {
  test('holds its concurrency, and its progress can be read', async () => {
    let [running, most] = [0, 0];
    agent.answer = async () => {
      most = Math.max(most, ++running);
      await Bun.sleep(2);
      running--;
      return null as never;
    };
    const scenarios = Array.from({ length: 50 }, (_, i) => ({ name: `s${i}`, script: ['Hello'] }));
    const { id } = await create({ target: http(), repetitions: 5, concurrency: 6, scenarios });
    const started = await lab.send<SimulationRun>('POST', `simulations/${id}/runs`, {});
    expect(started.planned).toBe(250);
    const seen = new Set<number>();
    let found = await lab.send<SimulationRunDetail>('GET', `simulations/runs/${started.id}`);
    while (found.status === 'running') {
      seen.add(found.counts.passed);
      await Bun.sleep(10);
      found = await lab.send<SimulationRunDetail>('GET', `simulations/runs/${started.id}`);
    }
    expect(found).toMatchObject({
      status: 'completed',
      counts: { waiting: 0, running: 0, passed: 250, failed: 0, lost: 0 },
    });
    expect(most).toBe(6);
    expect(seen.size).toBeGreaterThan(2);
    expect(agent.requests).toHaveLength(250);
  });

  test('marks a scenario that passes and fails as flaky', async () => {
    let asked = 0;
    agent.answer = () => Response.json({ answer: ++asked % 2 === 0 ? 'yes' : 'no' });
    const scenarios = [
      { name: 'x', script: ['Well?'], checks: [{ kind: 'contains', texts: 'yes' }], repetitions: 4 },
    ];
    const done = await run({ target: http(), scenarios });
    expect(done.scenarios[0]).toMatchObject({ passed: 2, failed: 2, isFlaky: true, passRate: { mean: 0.5 } });
    expect(done.metrics.find(({ name }) => name === 'flaky')?.mean).toBe(1);
  });

  test('pauses at its cost limit, says so, and goes on with a higher one', async () => {
    const scenarios = [{ name: 'x', script: ['Hello'], repetitions: 20 }];
    const { id } = await create({ target: http(), concurrency: 1, costCap: 0.005, scenarios });
    const started = await lab.send<SimulationRun>('POST', `simulations/${id}/runs`, {});
    const paused = await until(started.id, 'paused');
    expect(paused.error).toBe(
      'It would cost more than its limit of $0.005: $0.005000 are spent. Resume it with a higher limit',
    );
    expect(agent.requests).toHaveLength(5);
    expect((await lab.refused('POST', `simulations/runs/${started.id}/resume`, {}))[0]).toBe(409);
    await lab.send('POST', `simulations/runs/${started.id}/resume`, { maxCostUsd: 1 });
    expect((await until(started.id)).counts.passed).toBe(20);
    expect(agent.requests).toHaveLength(20);
  });

  test('can be cancelled; what was under way is lost, the rest goes on after a resume, and lost ones only when asked', async () => {
    const reached = Promise.withResolvers<void>();
    agent.answer = () => {
      if (agent.requests.length === 3) reached.resolve();
      return agent.requests.length <= 3 ? new Promise(() => {}) : (null as never);
    };
    const scenarios = [{ name: 'x', script: ['Hello'], repetitions: 10 }];
    const { id } = await create({ target: http(), concurrency: 3, scenarios });
    const started = await lab.send<SimulationRun>('POST', `simulations/${id}/runs`, { runId: `ci-${id}` });
    expect(
      await lab.send<SimulationRun>('POST', `simulations/${id}/runs`, { runId: `ci-${id}` }),
    ).toMatchObject({ id: started.id });
    await reached.promise;
    expect(await lab.send<SimulationRun>('POST', `simulations/runs/${started.id}/cancel`)).toMatchObject({
      status: 'cancelled',
    });
    agent.answer = null;
    await lab.send('POST', `simulations/runs/${started.id}/resume`, {});
    const done = await until(started.id);
    expect(done.counts).toMatchObject({ passed: 7, lost: 3 });
    expect(agent.requests).toHaveLength(10);
    expect((await lab.refused('POST', `simulations/runs/${started.id}/resume`, {}))[0]).toBe(409);
    await lab.send('POST', `simulations/runs/${started.id}/resume`, { retryLost: true });
    expect((await until(started.id)).counts).toMatchObject({ passed: 10, lost: 0 });
    const keys = agent.requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(13);
  });

  test('is deleted with its transcripts, and a suite with all of its runs', async () => {
    const done = await run({ target: http(), scenarios: [{ name: 'x', script: ['Hello'] }] });
    await lab.send('DELETE', `simulations/runs/${done.id}`);
    expect((await lab.refused('GET', `simulations/runs/${done.id}`))[0]).toBe(404);
    await lab.send('POST', `simulations/${done.simulationId}/runs`, {});
    await lab.send('DELETE', `simulations/${done.simulationId}`);
    const { sql } = lab.world.app.ctx.db;
    const left = await sql.all<{ n: number }>(
      rawSql`SELECT (SELECT count(*) FROM simulation_turns WHERE run_id NOT IN (SELECT id FROM simulation_runs))
        + (SELECT count(*) FROM simulation_conversations WHERE run_id NOT IN (SELECT id FROM simulation_runs)) AS n`,
    );
    expect(left).toEqual([{ n: 0 }]);
    expect((await lab.refused('GET', `simulations/${done.simulationId}`))[0]).toBe(404);
  });
});

describe('a suite', () => {
  const hello = { name: 'a', script: ['Hello'] };

  test('has a version for each change, and keeps the text as it was written', async () => {
    const source = '# our suite\nname: As text\nscenarios:\n  - name: a\n    script: [Hello]\n';
    const { id } = await lab.send<SimulationDetail>('POST', 'simulations', { source });
    const same = await lab.send<SimulationDetail>('PUT', `simulations/${id}`, { source });
    expect(same).toMatchObject({ version: 1, source, scenarios: 1 });
    const changed = source.replace('Hello', 'Hi');
    await lab.send('PUT', `simulations/${id}`, { source: changed, message: 'shorter' });
    expect(await lab.send<SimulationDetail>('GET', `simulations/${id}`)).toMatchObject({
      version: 2,
      source: changed,
      versions: [{ version: 2, message: 'shorter' }, { version: 1 }],
    });
    expect(await lab.send<SimulationDetail>('GET', `simulations/${id}?version=1`)).toMatchObject({
      source,
      shownVersion: 1,
    });
  });

  test('is refused with the place of the mistake', async () => {
    const refused = async (body: object): Promise<string> =>
      (await lab.refused('POST', 'simulations', body))[1];
    expect(await refused({ source: 'name: [' })).toStartWith('source is neither YAML nor JSON: ');
    expect(await refused({ source: 'name: &a x\nscenarios: *a' })).toContain('anchors and aliases');
    expect(
      await refused({
        source:
          'name: x\nscenarios:\n  - name: Refund\n    script: [Hi]\n    checks: [{kind: regex, pattern: "("}]',
      }),
    ).toBe('scenarios[0] "Refund": checks[0].pattern: error parsing regexp: missing closing ): `(?s)(`');
    expect(await refused({})).toContain('give either suite or source');
    const [status, error] = await lab.refused('POST', 'simulations', {
      suite: { name: 'x', scenarios: [{ ...hello, maxTurns: 0 }] },
    });
    expect([status, error]).toEqual([400, expect.stringContaining('maxTurns')]);
  });

  test('cannot run with a target that is missing, unreachable by rule, or a model that is not configured', async () => {
    const refused = async (suite: object): Promise<readonly [number, string]> =>
      lab.refused('POST', `simulations/${(await create(suite)).id}/runs`, {});
    expect(await refused({ scenarios: [hello] })).toEqual([
      400,
      'scenario "a": a function is called by the SDK only; give a target of the kind http, openai or prompt',
    ]);
    const far = await refused({ target: { kind: 'http', url: 'http://10.0.0.1/' }, scenarios: [hello] });
    expect(far).toEqual([400, expect.stringContaining('scenario "a": target.url: ')]);
    expect(await refused({ target: http(), scenarios: [{ name: 'a', persona: 'A student' }] })).toEqual([
      400,
      'scenario "a": userModel: is missing; give a name of GET /v1/models',
    ]);
    expect(
      (
        await refused({
          target: http(),
          judgeModel: 'x/y',
          criteria: [{ kind: 'judge', criterion: 'x' }],
          scenarios: [hello],
        })
      )[1],
    ).toBe('scenario "a": judgeModel: x/y is not configured; give a name of GET /v1/models');
  });

  test('tries a target and shows what came', async () => {
    const tried = await lab.send<{ text: string; status: number; raw: string }>('POST', 'simulations/try', {
      target: http(),
      message: 'Hi',
    });
    expect(tried).toMatchObject({
      text: expect.stringContaining('I can recommend'),
      status: 200,
      raw: expect.stringContaining('"answer"'),
      error: null,
    });
    const wrong = await lab.send('POST', 'simulations/try', {
      target: { ...http(), reply: { text: 'a.b' } },
    });
    expect(wrong).toMatchObject({
      text: '',
      status: 200,
      error: expect.stringContaining('The reply has no text at a.b'),
    });
  });

  test('the ready ones can be taken as they are', async () => {
    const { suites } = await lab.send<{ suites: { name: string; source: string }[] }>(
      'GET',
      'simulations/ready',
    );
    for (const { name, source } of suites)
      await lab.send('POST', 'simulations', { source: source.replace(name, `My ${name}`) });
    expect(suites).toHaveLength(2);
  });
});
