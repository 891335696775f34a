import { nextTurn } from '../../pace/next-turn.ts';
import type { Checked } from '../checks/compile-check.ts';
import { labelOf } from '../checks/label.ts';
import { verdictsOf } from '../checks/run-checks.ts';
import type { Check, Conversation, Criterion, Line, Reply, Turn, Verdict } from '../definition.ts';
import { linesOf, type Plan } from '../plan.ts';
import { seedOf } from '../seeded.ts';
import { type ChatTurn, historyOf } from './history.ts';

/** A message to the target. */
export type Message = {
  /** Number of the turn, from 1. */
  readonly turn: number;
  readonly message: string;
  /** The conversation so far, this message at its end. */
  readonly messages: readonly ChatTurn[];
  readonly scenario: string;
  readonly repetition: number;
  readonly seed: number;
};

/** What a conversation needs from outside. Costs are in USD, null if unknown. */
export type Ports = {
  /** Sends a message. Rejects only for what must stop the run. */
  send(message: Message): Promise<Reply>;
  /** The next message of a played user; null when they have what they want, or give up. */
  play(turns: readonly Turn[]): Promise<{ readonly text: string | null; readonly costUsd: number | null }>;
  judge(
    criterion: Extract<Criterion, { readonly kind: 'judge' }>,
    turns: readonly Turn[],
    no: number,
  ): Promise<Verdict & { readonly costUsd: number | null }>;
  /** Asks a guardrail of the project. */
  guardrail(name: string, text: string): Promise<Omit<Verdict, 'check'>>;
  /** Makes checks that need nothing but the answer, in their order. Default: on this thread. */
  check?(checks: readonly Check[], checked: Checked): Promise<Verdict[]>;
  /** Before a message is sent. */
  begun?(turn: number, user: Said): Promise<void>;
  /** After its answer was checked. */
  ended?(turn: Turn): Promise<void>;
};

/** A message of the user, and what a model cost that wrote it. */
export type Said = { readonly text: string; readonly costUsd: number | null };

/** Where a conversation goes on. `pending`: a message that was begun, and whose answer is not known. */
export type Before = {
  readonly turns: readonly Turn[];
  readonly pending?: Said | undefined;
};

export type Ended = Conversation & {
  /** Of the target, of a model that plays the user, and of judges; what is unknown counts as nothing. */
  readonly costUsd: number;
  readonly targetCostUsd: number;
  /** Answers, messages and judgements whose cost is not known. */
  readonly unknownCosts: number;
};

/**
 * Runs a conversation to its end: the fixed messages, then those of a played user, with the checks after each answer and
 * the criteria at the end. With the same seed, a script and a target that answers alike it always ends alike.
 */
export async function runConversation(
  plan: Plan,
  repetition: number,
  ports: Ports,
  before: Before = { turns: [] },
): Promise<Ended> {
  const lines = linesOf(plan, repetition);
  const turns: Turn[] = [...before.turns];
  const spent = createSpent(plan.costCap);
  for (const { costUsd, userCostUsd } of turns) {
    spent.add(costUsd, 'target');
    spent.add(userCostUsd, 'other');
  }
  let ending: Verdict | null = null;
  while (ending === null && turns.length < plan.maxTurns) {
    const no = turns.length + 1;
    if (turns.at(-1)?.error != null) break;
    const pending = no === before.turns.length + 1 ? before.pending : undefined;
    const said = pending ?? (await nextMessage(plan, { no, lines, turns, ports }));
    spent.add(said.costUsd, 'other');
    const { text: user, costUsd: userCostUsd } = said;
    if (user === null) break;
    if (pending === undefined) await ports.begun?.(no, { text: user, costUsd: userCostUsd });
    const seed = seedOf(plan.seed, `repetition ${repetition}`);
    const messages = [...historyOf(turns), { role: 'user' as const, content: user }];
    const reply = await ports.send({
      turn: no,
      message: user,
      messages,
      scenario: plan.name,
      repetition,
      seed,
    });
    spent.add(reply.costUsd, 'target');
    const isLast = no >= plan.maxTurns || (!plan.isPlayed && no >= lines.length);
    const verdicts = await judgeTurn(plan, { no, isLast, user, reply, turns, line: lines[no - 1], ports });
    const turn: Turn = { ...reply, no, user, userCostUsd, verdicts };
    turns.push(turn);
    await ports.ended?.(turn);
    ending = spent.overCap();
  }
  const last = turns.at(-1);
  const late =
    last === undefined || last.error !== null || wasLast(plan, lines, turns)
      ? []
      : await judgeLast(plan, { turns, ports });
  const criteria =
    last === undefined || last.error !== null ? [] : await judgeEnd(plan, { turns, ports, spent });
  const all = [...(ending === null ? [] : [ending]), ...late, ...criteria];
  const isPassed =
    last !== undefined &&
    turns.every(({ verdicts }) => verdicts.every(({ passed }) => passed)) &&
    all.every(({ passed }) => passed);
  return {
    scenario: plan.name,
    repetition,
    outcome: isPassed ? 'passed' : 'failed',
    turns,
    criteria:
      last === undefined
        ? [{ check: 'has a conversation', passed: false, reason: 'the user said nothing' }]
        : all,
    ...spent.total(),
  };
}

type Spent = ReturnType<typeof createSpent>;

function createSpent(cap: number | null) {
  const nano = { target: 0, other: 0 };
  let unknownCosts = 0;
  return {
    add(usd: number | null, what: keyof typeof nano): void {
      if (usd === null) unknownCosts++;
      else nano[what] += Math.round(usd * 1e9);
    },
    overCap(): Verdict | null {
      const usd = (nano.target + nano.other) / 1e9;
      if (cap === null || usd <= cap) return null;
      return { check: `costs at most $${cap}`, passed: false, reason: `cost $${usd}` };
    },
    total: () => ({
      costUsd: (nano.target + nano.other) / 1e9,
      targetCostUsd: nano.target / 1e9,
      unknownCosts,
    }),
  };
}

type Next = {
  readonly no: number;
  readonly lines: readonly Line[];
  readonly turns: readonly Turn[];
  readonly ports: Ports;
};

async function nextMessage(plan: Plan, { no, lines, turns, ports }: Next): ReturnType<Ports['play']> {
  const line = lines[no - 1];
  if (line !== undefined) return { text: line.user, costUsd: 0 };
  return plan.isPlayed ? ports.play(turns) : { text: null, costUsd: 0 };
}

type Judged = {
  readonly no: number;
  readonly isLast: boolean;
  readonly user: string;
  readonly reply: Reply;
  readonly turns: readonly Turn[];
  readonly line: Line | undefined;
  readonly ports: Ports;
};

async function judgeTurn(plan: Plan, judged: Judged): Promise<Verdict[]> {
  const { no, isLast, user, reply, turns, line, ports } = judged;
  if (reply.error !== null) return [{ check: 'answers', passed: false, reason: reply.error }];
  const own = plan.checks.filter(
    ({ turn = 'each' }) => turn === 'each' || turn === no || (turn === 'last' && isLast),
  );
  const checked = { ...reply, said: [...turns.map((one) => one.user), user] };
  return runChecks([...own, ...(line?.checks ?? [])], checked, ports);
}

/** Whether the checks of the last turn ran with it: a played user may end at any time. */
const wasLast = ({ maxTurns, isPlayed }: Plan, lines: readonly Line[], turns: readonly Turn[]): boolean =>
  turns.length >= maxTurns || (!isPlayed && turns.length >= lines.length);

type Over = { readonly turns: readonly Turn[]; readonly ports: Ports };

async function judgeLast({ checks }: Plan, { turns, ports }: Over): Promise<Verdict[]> {
  const last = turns.at(-1);
  if (last === undefined) return [];
  const own = checks.filter(({ turn }) => turn === 'last');
  return runChecks(own, { ...last, said: turns.map(({ user }) => user) }, ports);
}

async function judgeEnd(
  { criteria }: Plan,
  { turns, ports, spent }: Over & { readonly spent: Spent },
): Promise<Verdict[]> {
  const costs = turns.map(({ costUsd }) => costUsd);
  const whole: Checked = {
    text: turns.map(({ text }) => text).join('\n'),
    toolCalls: turns.flatMap(({ toolCalls }) => toolCalls),
    latencyMs: turns.reduce((sum, { latencyMs }) => sum + latencyMs, 0),
    costUsd: costs.includes(null) ? null : costs.reduce((sum: number, usd) => sum + (usd ?? 0), 0),
    said: turns.map(({ user }) => user),
  };
  const verdicts: Verdict[] = [];
  for (const [no, criterion] of criteria.entries()) {
    if (criterion.kind !== 'judge') {
      verdicts.push(...(await runChecks([criterion], whole, ports)));
      continue;
    }
    const { costUsd, ...verdict } = await ports.judge(criterion, turns, no);
    spent.add(costUsd, 'other');
    verdicts.push(verdict);
  }
  return verdicts;
}

/** Whether a check needs nothing but the answer. */
const isLocal = (check: Check): boolean => check.kind !== 'guardrail' || check.detect !== undefined;

async function runChecks(checks: readonly Check[], checked: Checked, ports: Ports): Promise<Verdict[]> {
  const local = checks.filter(isLocal);
  const found = local.length === 0 ? [] : await (ports.check ?? checkHere)(local, checked);
  let next = 0;
  const verdicts: Verdict[] = [];
  for (const check of checks) {
    const verdict = isLocal(check) ? found[next++] : undefined;
    if (verdict !== undefined) verdicts.push(verdict);
    else if (check.kind === 'guardrail')
      verdicts.push({ check: labelOf(check), ...(await ports.guardrail(check.name ?? '', checked.text)) });
  }
  return verdicts;
}

async function checkHere(checks: readonly Check[], checked: Checked): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const found of verdictsOf(checks, checked)) {
    verdicts.push(...found);
    if (verdicts.length < checks.length) await nextTurn();
  }
  return verdicts;
}
