/**
 * Simulations in a test runner: users who are scripted, or played by a model of your own, talk to your agent, and checks
 * look at its answers. The same suites and checks as on the server, without a server.
 */

import { type ChatTurn, transcriptOf } from '../lib/simulations/conversation/history.ts';
import { playedMessage, playedUser } from '../lib/simulations/conversation/played-user.ts';
import { type Message, runConversation } from '../lib/simulations/conversation/run-conversation.ts';
import type { Conversation, Suite, ToolCall, Turn } from '../lib/simulations/definition.ts';
import { failuresOf } from '../lib/simulations/definition.ts';
import { type Plan, plansOf } from '../lib/simulations/plan.ts';
import { readSuite, SuiteError } from '../lib/simulations/read-suite.ts';
import { type ScenarioSummary, type Share, summarizeOutcomes } from '../lib/simulations/summarize.ts';

export type { ChatTurn } from '../lib/simulations/conversation/history.ts';
export type * from '../lib/simulations/definition.ts';
export { SuiteError } from '../lib/simulations/read-suite.ts';
export { READY_SUITES } from '../lib/simulations/suites/ready-suites.ts';
export type { ScenarioSummary, Share } from '../lib/simulations/summarize.ts';

type Awaitable<T> = T | Promise<T>;

/** What an agent answers: a text, or a text with the tools that it called and what it cost. */
export type AgentReply =
  | string
  | {
      readonly text?: string | undefined;
      readonly toolCalls?: readonly ToolCall[] | undefined;
      readonly costUsd?: number | undefined;
      readonly traceId?: string | undefined;
    };

/** Where a message stands. `conversationId` is the same for all messages of a conversation. */
export type AgentContext = Pick<Message, 'messages' | 'turn' | 'scenario' | 'repetition' | 'seed'> & {
  readonly conversationId: string;
  /** Aborted when the time for the answer is over. */
  readonly signal: AbortSignal;
};

/** Your agent. What it throws is the failure of the turn. */
export type Agent = (message: string, context: AgentContext) => Awaitable<AgentReply>;

export type SimulateOptions = {
  /** Only the scenarios of these names. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Default: as the suite says. */
  readonly repetitions?: number | undefined;
  readonly seed?: number | undefined;
  readonly concurrency?: number | undefined;
  /** Time for an answer, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Plays the users of personas: gets messages for a chat model, returns its answer. */
  readonly user?: ((messages: readonly ChatTurn[]) => Awaitable<string>) | undefined;
  /** Judges a criterion in words over a transcript. */
  readonly judge?:
    | ((
        criterion: string,
        transcript: string,
      ) => Awaitable<boolean | { readonly passed: boolean; readonly reason?: string | undefined }>)
    | undefined;
  /** Called when a conversation has ended. */
  readonly onProgress?: ((done: number, all: number, conversation: Conversation) => void) | undefined;
};

/** How a simulation ended. */
export type SimulationResult = {
  readonly suite: string;
  readonly seed: number;
  /** Share of passed conversations with its 95 % interval. */
  readonly passRate: Share | null;
  readonly scenarios: readonly ScenarioSummary[];
  /** In the order of the suite. */
  readonly conversations: readonly Conversation[];
  /** A line for each failure, such as `Refund (1): turn 2: contains "sorry": without "sorry"`. */
  readonly failures: readonly string[];
  /** Known costs of the agent, in USD. */
  readonly costUsd: number;
  /** Throws an error with all failures if the pass rate is below `least`. Default: 1. */
  assertPassRate(least?: number): void;
};

/** The pass rate of a simulation is below what was asked for. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError';
}

const TIMEOUT_MS = 60_000;
const CONCURRENCY = 4;

/**
 * Talks to an agent as a suite says. With scripted users nothing but the agent is called, and the same seed repeats a run
 * exactly.
 * @param given a suite, or the text of one: JSON, in Bun also YAML
 * @throws SuiteError for a suite that cannot be used, with the place in it
 * @example
 * test('the agent keeps to its job', async () => {
 *   const result = await simulate(suite, (message, { messages }) => agent.answer(messages));
 *   result.assertPassRate(0.95);
 * });
 */
export async function simulate(
  given: Suite | string,
  agent: Agent,
  options: SimulateOptions = {},
): Promise<SimulationResult> {
  const read = readSuite(typeof given === 'string' ? parseText(given) : given);
  const seed = options.seed ?? read.seed ?? 1;
  const suite: Suite = { ...read, seed };
  const plans = chosen(plansOf(suite), options);
  for (const plan of plans) refuseUnplayable(plan, options);
  const places = plans.flatMap((plan) =>
    Array.from({ length: plan.repetitions }, (_, i) => ({ plan, repetition: i + 1 })),
  );
  const ended: (Conversation & { readonly costUsd: number })[] = [];
  const queue = places.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const [i, { plan, repetition }] of queue) {
      const conversation = await converse(agent, plan, { repetition, seed, options });
      ended[i] = conversation;
      options.onProgress?.(++done, places.length, conversation);
    }
  };
  const workers = Math.max(1, Math.floor(options.concurrency ?? suite.concurrency ?? CONCURRENCY));
  await Promise.all(Array.from({ length: Math.min(workers, places.length) }, work));
  return toResult(suite.name, seed, ended);
}

function chosen(plans: readonly Plan[], { only, repetitions }: SimulateOptions): Plan[] {
  const unknown = only?.find((name) => !plans.some((plan) => plan.name === name));
  if (unknown !== undefined) throw new SuiteError(`only: there is no scenario ${JSON.stringify(unknown)}`);
  return plans
    .filter(({ name }) => only === undefined || only.includes(name))
    .map((plan) => (repetitions === undefined ? plan : { ...plan, repetitions }));
}

function refuseUnplayable(plan: Plan, { user, judge }: SimulateOptions): void {
  const about = `scenario ${JSON.stringify(plan.name)}`;
  const hasJudge = plan.criteria.some(({ kind }) => kind === 'judge');
  const named = [...plan.checks, ...plan.criteria].some(
    (one) => one.kind === 'guardrail' && one.detect === undefined,
  );
  if (plan.isPlayed && user === undefined)
    throw new SuiteError(`${about} has a user who is played: give the option user, or a script`);
  if (hasJudge && judge === undefined)
    throw new SuiteError(`${about} has a criterion that is judged: give the option judge`);
  if (named)
    throw new SuiteError(`${about} asks a guardrail of a project, which needs a server: use detect here`);
}

type Place = { readonly repetition: number; readonly seed: number; readonly options: SimulateOptions };

function converse(agent: Agent, plan: Plan, { repetition, seed, options }: Place) {
  const conversationId = `${seed}-${plan.seed}-${repetition}`;
  return runConversation(plan, repetition, {
    send: (message) => ask(agent, { ...message, conversationId }, options.timeoutMs ?? TIMEOUT_MS),
    async play(turns: readonly Turn[]) {
      return { text: playedMessage((await options.user?.(playedUser(plan, turns))) ?? ''), costUsd: 0 };
    },
    async judge({ criterion }, turns) {
      const said = (await options.judge?.(criterion, transcriptOf(turns))) ?? false;
      const { passed, reason = null } = typeof said === 'boolean' ? { passed: said } : said;
      return { check: criterion, passed, reason, costUsd: 0 };
    },
    guardrail: async () => ({ passed: false, reason: 'needs a server' }),
  });
}

async function ask(agent: Agent, context: Message & { readonly conversationId: string }, timeoutMs: number) {
  const started = performance.now();
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`no answer within ${timeoutMs} ms`);
      controller.abort(error);
      reject(error);
    }, timeoutMs);
  });
  try {
    const answering = (async () => agent(context.message, { ...context, signal: controller.signal }))();
    const reply = await Promise.race([answering, late]);
    const {
      text = '',
      toolCalls = [],
      costUsd = null,
      traceId = null,
    } = typeof reply === 'string' ? { text: reply } : reply;
    return { text, toolCalls, costUsd, traceId, error: null, latencyMs: performance.now() - started };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const nothing = { text: '', toolCalls: [], costUsd: null, traceId: null };
    return { ...nothing, error: reason || 'the agent failed', latencyMs: performance.now() - started };
  } finally {
    clearTimeout(timer);
  }
}

function parseText(text: string): unknown {
  const { Bun: bun } = globalThis as { Bun?: { YAML?: { parse(given: string): unknown } } };
  try {
    return bun?.YAML === undefined ? JSON.parse(text) : bun.YAML.parse(text);
  } catch (error) {
    const form = bun?.YAML === undefined ? 'JSON; parse YAML first and pass the object' : 'YAML or JSON';
    throw new SuiteError(`the suite is not ${form} (${error instanceof Error ? error.message : ''})`);
  }
}

function toResult(
  suite: string,
  seed: number,
  ended: readonly (Conversation & { readonly costUsd: number })[],
): SimulationResult {
  const { passRate, scenarios } = summarizeOutcomes(
    ended.map(({ scenario, outcome }) => ({ scenario, outcome, count: 1 })),
  );
  const failures = ended
    .filter(({ outcome }) => outcome === 'failed')
    .flatMap((one) => failuresOf(one).map((line) => `${one.scenario} (${one.repetition}): ${line}`));
  return {
    suite,
    seed,
    passRate,
    scenarios,
    conversations: ended,
    failures,
    costUsd: ended.reduce((sum, { costUsd }) => sum + Math.round(costUsd * 1e9), 0) / 1e9,
    assertPassRate(least = 1) {
      if (passRate !== null && passRate.mean >= least) return;
      const rate = `${((passRate?.mean ?? 0) * 100).toFixed(1)} %`;
      throw new SimulationError(
        [
          `${suite}: ${rate} of ${ended.length} conversations passed, below ${least * 100} % (seed ${seed})`,
          ...failures,
        ].join('\n  '),
      );
    },
  };
}
