import { sizeOf } from './checks/check-size.ts';
import { compileCheck, listOf } from './checks/compile-check.ts';
import {
  type Check,
  type Criterion,
  isPersona,
  LIMITS,
  type Line,
  type Persona,
  type Scenario,
  type Suite,
  type Target,
  type TurnCheck,
} from './definition.ts';
import { attacksOf } from './personas/attacks.ts';
import { seedOf, shuffled } from './seeded.ts';

/** A scenario with all that the suite says. */
export type Plan = {
  readonly name: string;
  readonly goal: string | null;
  /** Who the user is, in words; null for a script. */
  readonly persona: string | null;
  readonly attacks: Persona | null;
  readonly target: Target;
  readonly maxTurns: number;
  readonly checks: readonly TurnCheck[];
  readonly criteria: readonly Criterion[];
  readonly repetitions: number;
  readonly costCap: number | null;
  /** Model that goes on after the fixed messages; null if none does. */
  readonly userModel: string | null;
  readonly judgeModel: string | null;
  /** Whether someone must go on after the fixed messages. */
  readonly isPlayed: boolean;
  readonly seed: number;
  readonly script: Scenario['script'];
  readonly openingMessages: readonly string[];
};

const TURNS = 5;
const NONE = 'none';

/** The scenarios of a suite with what they have in common. */
export const plansOf = (suite: Suite): Plan[] => suite.scenarios.map((scenario) => planOf(suite, scenario));

function planOf(suite: Suite, scenario: Scenario): Plan {
  const { name, script, persona, goal, openingMessages = [] } = scenario;
  const attacks = isPersona(persona) ? persona : null;
  const model = scenario.userModel ?? suite.userModel ?? NONE;
  const userModel = model === NONE || script !== undefined ? null : model;
  const isTold = persona !== undefined || (goal !== undefined && openingMessages.length === 0);
  const isPlayed = script === undefined && (userModel !== null || (attacks === null && isTold));
  const fixed =
    script?.length ??
    (openingMessages.length > 0 && !isPlayed && attacks === null ? openingMessages.length : TURNS);
  return {
    name,
    goal: goal ?? null,
    persona: persona ?? null,
    attacks: script === undefined ? attacks : null,
    target: scenario.target ?? suite.target ?? { kind: 'function' },
    maxTurns: scenario.maxTurns ?? suite.maxTurns ?? Math.min(fixed, LIMITS.turns),
    checks: [...(suite.checks ?? []), ...(scenario.checks ?? [])],
    criteria: [...(suite.criteria ?? []), ...(scenario.criteria ?? [])],
    repetitions: scenario.repetitions ?? suite.repetitions ?? 1,
    costCap: scenario.costCap ?? null,
    userModel,
    judgeModel: scenario.judgeModel ?? suite.judgeModel ?? null,
    isPlayed,
    seed: seedOf(suite.seed ?? 1, name),
    script,
    openingMessages,
  };
}

/** The messages that are known before a conversation: the script, or the opening and, without a model, the attacks. */
export function linesOf(plan: Plan, repetition: number): Line[] {
  const { script, openingMessages, attacks, isPlayed, maxTurns, seed } = plan;
  const opening = openingMessages.map((user): Line => ({ user, checks: [] }));
  if (script !== undefined)
    return script.slice(0, maxTurns).map((line, i) => lineOf(line, seedOf(seed + repetition, `line ${i}`)));
  if (attacks === null || isPlayed) return opening.slice(0, maxTurns);
  // Each repetition goes on in the list where the one before ended, so that all attacks come up.
  const mixed = shuffled(attacksOf(attacks), seed);
  const count = Math.max(0, maxTurns - opening.length);
  const from = (repetition - 1) * count;
  return [
    ...opening.slice(0, maxTurns),
    ...Array.from(
      { length: Math.min(count, mixed.length) },
      (_, i) => mixed[(from + i) % mixed.length] as Line,
    ),
  ];
}

function lineOf(line: NonNullable<Scenario['script']>[number], seed: number): Line {
  if (typeof line === 'string') return { user: line, checks: [] };
  const [user = ''] = shuffled(listOf(line.user), seed);
  return { user, checks: line.checks ?? [] };
}

type Problem = { readonly path: readonly PropertyKey[]; readonly message: string };

/** What is wrong with a suite beyond its form; null if nothing is. */
export function planProblem(suite: Suite): Problem | null {
  const large = sizeProblem(suite);
  if (large !== null) return large;
  const known = new Set<string>();
  const common = sharedProblem(suite, []);
  if (common !== null) return common;
  for (const [i, scenario] of suite.scenarios.entries()) {
    const path = ['scenarios', i] as const;
    if (known.has(scenario.name))
      return { path: [...path, 'name'], message: 'is the name of an earlier scenario, too' };
    known.add(scenario.name);
    const problem = sharedProblem(scenario, path) ?? scriptProblem(scenario, path);
    if (problem !== null) return problem;
  }
  const count = plansOf(suite).reduce((sum, { repetitions }) => sum + repetitions, 0);
  if (count > LIMITS.conversations)
    return {
      path: [],
      message: `scenarios times repetitions are ${count.toLocaleString('en-US')} conversations; at most ${LIMITS.conversations.toLocaleString('en-US')} are allowed`,
    };
  return null;
}

/** Most parts of the patterns of a suite, whose checks are all compiled when it is read. Compiling so many takes half a second. */
const MAX_SIZE = 100_000;

function sizeProblem({ checks, criteria, scenarios }: Suite): Problem | null {
  const all = [
    ...(checks ?? []),
    ...(criteria ?? []),
    ...scenarios.flatMap((scenario) => [
      ...(scenario.checks ?? []),
      ...(scenario.criteria ?? []),
      ...(scenario.script ?? []).flatMap((line) => (typeof line === 'string' ? [] : (line.checks ?? []))),
    ]),
  ];
  const size = all.reduce((sum, check) => sum + (check.kind === 'judge' ? 0 : knownSize(check)), 0);
  if (size <= MAX_SIZE) return null;
  return {
    path: [],
    message: `the patterns of the suite are too large together: with their repetitions written out they have ${size.toLocaleString('en-US')} parts, of ${MAX_SIZE.toLocaleString('en-US')} at most; make them simpler, or make several suites`,
  };
}

/** 0 for a check that is wrong, which is told with its place. */
function knownSize(check: Check): number {
  try {
    return sizeOf(check);
  } catch {
    return 0;
  }
}

type Path = readonly PropertyKey[];

function sharedProblem(
  { checks = [], criteria = [] }: Pick<Scenario, 'checks' | 'criteria'>,
  path: Path,
): Problem | null {
  for (const [i, check] of checks.entries()) {
    if (check.kind === 'tool_call' && check.mode !== 'never' && check.turn === undefined)
      return {
        path: [...path, 'checks', i],
        message:
          'tool_call would have to hold after each turn; name the turn, or put it under criteria, where it holds for the conversation',
      };
    const problem = checkProblem(check, [...path, 'checks', i]);
    if (problem !== null) return problem;
  }
  for (const [i, criterion] of criteria.entries()) {
    const problem = criterion.kind === 'judge' ? null : checkProblem(criterion, [...path, 'criteria', i]);
    if (problem !== null) return problem;
  }
  return null;
}

function checkProblem(check: Check, path: Path): Problem | null {
  try {
    compileCheck(check);
    return null;
  } catch (error) {
    const field = { regex: 'pattern', json_schema: 'schema', guardrail: 'config' }[check.kind as string];
    const message = error instanceof Error ? error.message : 'is not valid';
    return { path: field === undefined ? path : [...path, field], message };
  }
}

function scriptProblem(scenario: Scenario, path: Path): Problem | null {
  const { script = [], openingMessages, persona, goal } = scenario;
  for (const [i, line] of script.entries()) {
    if (typeof line === 'string') continue;
    for (const [j, check] of (line.checks ?? []).entries()) {
      const problem = checkProblem(check, [...path, 'script', i, 'checks', j]);
      if (problem !== null) return problem;
    }
  }
  if (scenario.script !== undefined && openingMessages !== undefined)
    return {
      path: [...path, 'openingMessages'],
      message: 'a script has all messages; leave one of the two out',
    };
  if (
    scenario.script === undefined &&
    openingMessages === undefined &&
    persona === undefined &&
    goal === undefined
  )
    return { path, message: 'has no messages: give a script, openingMessages, or a persona' };
  return null;
}
