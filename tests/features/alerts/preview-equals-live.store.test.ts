import { expect, test } from 'bun:test';
import { asc, isNull } from 'drizzle-orm';
import { runJob } from '../../../src/core/jobs/index.ts';
import { setPlan } from '../../../src/core/orgs/index.ts';
import { listProjects } from '../../../src/core/projects/index.ts';
import { operatorScope } from '../../../src/core/tenancy/index.ts';
import { REACH } from '../../../src/features/alerts/evaluate/round.ts';
import { readShapes } from '../../../src/features/alerts/judge/read-shapes.ts';
import { judgeMinutes } from '../../../src/features/alerts/preview/preview-work.ts';
import { alertHistory, type Rule } from '../../../src/features/alerts/table.ts';
import { modules } from '../../../src/features.ts';
import { MINUTE_MS } from '../../../src/lib/time.ts';
import { untilAccepted } from '../../core/deliveries/until-accepted.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { TEST_SEED } from '../../helpers/random.ts';
import { makeCalls, makeRule, randomOf, START, toLines } from './random-rules.ts';
import { type Begun, type Call, type Spent, timesOf } from './replay.ts';
import { ask, evaluate, make } from './support.ts';

/** Days that pass minute by minute on a real file; `ALERT_DAYS=30` is the long form. */
const DAYS = Number(process.env.ALERT_DAYS ?? 0.06);
const RULES = Number(process.env.ALERT_RULES ?? 9);
/** Events of one request. */
const AT_ONCE = 100;

const traceOf = ({ ts, costNano }: Call): string => `${ts}${costNano}`.padStart(32, '0');

const spanOf = ({ ts }: Call): string => String(ts).padStart(16, '0');

/** Each call is a run of an agent that is called as the model. */
const toEvent = (call: Call) => ({
  provider: 'test',
  model: call.model,
  agent: call.model,
  status: call.failed ? 'error' : 'success',
  cost_usd: call.costNano / 1e9,
  latency_ms: call.latencyMs,
  timestamp: new Date(call.ts).toISOString(),
  ...{ trace_id: traceOf(call), span_id: spanOf(call) },
});
/** Another call of its run. */
const toMore = (call: Call) => ({
  ...toEvent(call),
  ...{ status: 'success', span_id: `f${spanOf(call).slice(1)}`, parent_span_id: spanOf(call) },
  cost_usd: (call.more?.costNano ?? 0) / 1e9,
  timestamp: new Date(call.ts + 1).toISOString(),
});

const signedIn = new WeakMap<TestApp, string>();

/** Gives scores as a person, who signs in again when the login session has expired. */
async function give(world: TestApp, calls: readonly Call[]): Promise<void> {
  for (let from = 0; from < calls.length; from += AT_ONCE) {
    const scores = calls
      .slice(from, from + AT_ONCE)
      .map((call) => ({ name: 'tone', value: call.score?.value, traceId: traceOf(call) }));
    let reply = await ask(world, 'POST', 'scores', scores, signedIn.get(world));
    if (reply.status === 401) {
      signedIn.set(world, await world.signIn(world.seed.email));
      reply = await ask(world, 'POST', 'scores', scores, signedIn.get(world));
    }
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  }
}

async function send(world: TestApp, calls: readonly Call[], toSent: (call: Call) => object): Promise<void> {
  for (let from = 0; from < calls.length; from += AT_ONCE) {
    const events = calls.slice(from, from + AT_ONCE).map(toSent);
    const request = () => world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events });
    const response = await untilAccepted(request);
    expect(response.status, await response.text()).toBe(202);
  }
}

/** What the running evaluation recorded, by alert. */
async function readLive(world: TestApp, end: number): Promise<Map<string, Spent[]>> {
  const rows = await world.ctx.db.sql
    .select()
    .from(alertHistory)
    .where(isNull(alertHistory.supersededAt))
    .orderBy(asc(alertHistory.at));
  const byAlert = Map.groupBy(rows, ({ alertId }) => alertId);
  return new Map(
    [...byAlert].map(([id, own]) => {
      const byGroup = Map.groupBy(own, ({ groupKey }) => groupKey);
      const begun = ({ at, to }: (typeof rows)[number]): Begun => ({
        at: at.getTime() / MINUTE_MS,
        state: to,
      });
      return [id, [...byGroup].flatMap(([group, changes]) => timesOf(group, changes.map(begun), end))];
    }),
  );
}

/** What the preview of a rule decides from the stored events. */
async function readPreview({ ctx }: TestApp, rule: Rule, to: number): Promise<Spent[]> {
  const [project] = await listProjects(ctx);
  if (project === undefined) throw new Error('there is no project');
  const scope = operatorScope(project);
  const begun = new Map<string, Begun[]>();
  const steps = judgeMinutes(
    { rule, from: START, to },
    {
      found(at, found) {
        for (const { group, was, state } of found)
          if (state !== was.state) begun.set(group, [...(begun.get(group) ?? []), { at, state }]);
      },
    },
  );
  for (let text: string | null = null; ; ) {
    const { value, done } = steps.next({ text });
    if (done === true) break;
    text = value.kind === 'read' ? await readShapes(ctx, scope, value.query) : null;
  }
  return [...begun].flatMap(([group, own]) => timesOf(group, own, to));
}

test(
  'the preview of stored events shows what the running evaluation decided, late events, restarts and sealing included',
  async () => {
    const random = randomOf(TEST_SEED);
    const end = START + Math.round(DAYS * 1_440);
    const calls = makeCalls(random, end + REACH).sort((a, b) => a.arrived - b.arrived);
    const world = await openTestApp({ now: START * MINUTE_MS, rateLimits: false, checkReplies: false });
    try {
      await world.app.act(setPlan, { organization: world.seed.organizationId, plan: 'scale' });
      const scores = calls
        .filter(({ score }) => score !== null)
        .sort((a, b) => (a.score?.arrived ?? 0) - (b.score?.arrived ?? 0));
      const later = calls
        .filter(({ more }) => more !== null)
        .sort((a, b) => (a.more?.arrived ?? 0) - (b.more?.arrived ?? 0));
      let [sent, given, added] = [0, 0, 0];
      const arrive = async (until: number): Promise<void> => {
        const first = sent;
        while ((calls[sent]?.arrived ?? Number.POSITIVE_INFINITY) <= until) sent++;
        await send(world, calls.slice(first, sent), toEvent);
        const next = added;
        while ((later[added]?.more?.arrived ?? Number.POSITIVE_INFINITY) <= until) added++;
        await send(world, later.slice(next, added), toMore);
        const scored = given;
        while ((scores[given]?.score?.arrived ?? Number.POSITIVE_INFINITY) <= until) given++;
        await give(world, scores.slice(scored, given));
      };
      await arrive(START * MINUTE_MS);
      const rules = new Map<string, Rule>();
      for (let place = 0; place < RULES; place++) {
        const rule = makeRule(random, place);
        rules.set((await make(world, { name: `rule ${place}`, ...rule })).id, rule);
      }
      const seal = modules.flatMap(({ jobs = [] }) => jobs).find(({ name }) => name === 'events.seal_log');
      if (seal === undefined) throw new Error('there is no job that seals events');
      for (let minute = START; minute <= end + REACH; minute++) {
        const now = (minute + 1) * MINUTE_MS;
        world.clock.set(now);
        await arrive(now);
        expect((await evaluate(world)).status).toBe('ok');
        const chance = random.int(0, 99);
        if (chance < 5) await runJob(world.ctx, seal, 'schedule');
        if (chance === 5) await world.reopen();
        // Missed rounds are made up, and so is what came meanwhile.
        if (chance === 6) minute += random.int(1, 20);
      }
      const live = await readLive(world, end);
      let times = 0;
      for (const [id, rule] of rules) {
        const shown = await readPreview(world, rule, end);
        expect(toLines(shown), `seed ${TEST_SEED}: ${JSON.stringify(rule)}`).toEqual(
          toLines(live.get(id) ?? []),
        );
        times += shown.length;
      }
      expect(times).toBeGreaterThan(0);
    } finally {
      await world.close();
    }
  },
  120_000 + DAYS * 600_000,
);
