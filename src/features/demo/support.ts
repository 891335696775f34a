import { strongest } from '../../lib/guardrails/definition.ts';
import { type CallSpec, callWithRetry, embed } from './call.ts';
import type { Failure } from './faults.ts';
import { pickUser } from './people.ts';
import { addLeaf, addSpan, openRun, type Place, type Run, type SpanFields, type Start } from './run.ts';

/** Tools of the assistant: name, frequency, duration. */
const TOOLS: readonly (readonly [
  item: { readonly name: string; readonly medianMs: number },
  weight: number,
])[] = [
  [{ name: 'lookup_order', medianMs: 85 }, 5],
  [{ name: 'search_tickets', medianMs: 210 }, 3],
  [{ name: 'get_invoice', medianMs: 130 }, 2],
  [{ name: 'create_ticket', medianMs: 340 }, 1],
];

const TOOL_FAILED: Failure = {
  status: 'error',
  error_code: 'tool_error',
  error_message: 'The order service replied 503.',
};

/** Tokens of the assistant's instructions and tool definitions, the same in every call. */
const INSTRUCTIONS = 2304;
const MAX_TURNS = 9;

/**
 * A conversation with the support assistant: one session, one trace per turn, some minutes between
 * turns. The prompt grows with every turn.
 */
export function runConversation(start: Start): Run[] {
  const { random } = start;
  const user = pickUser(random);
  const sessionId = `sess_${random.hex(16)}`;
  const runs: Run[] = [];
  let { at } = start;
  let environment: string | undefined;
  let history = 0;
  do {
    const run = openRun({
      ...start,
      at,
      team: 'support',
      feature: 'assistant',
      user,
      sessionId,
      ...(environment !== undefined && { environment }),
    });
    environment = run.environment;
    runTurn(run, history);
    runs.push(run);
    history += random.int(350, 900);
    at = run.at + random.logNormal(75_000, 0.8);
  } while (runs.length < MAX_TURNS && random.chance(0.6));
  return runs;
}

/** One turn: check the input, search the knowledge base, call tools, answer, check the answer. */
function runTurn(run: Run, history: number): void {
  const { random } = run;
  const turn: Omit<CallSpec, 'output'> = {
    model: random.chance(0.65) ? 'claude-sonnet-4-5' : 'gpt-4o',
    prompt: 'support-assistant',
    promptVersion: '14',
    prefix: INSTRUCTIONS + history,
    fresh: 380,
  };
  addSpan(run, {}, { kind: 'agent', name: 'support-assistant', operation: 'invoke_agent' }, (inside) => {
    checkInput(run, inside);
    if (random.chance(0.6)) searchKnowledgeBase(run, inside);
    let { fresh } = turn;
    for (let step = 0; step < 3 && random.chance(step === 0 ? 0.7 : 0.3); step++) {
      const failure = ask(run, inside, { ...turn, fresh, output: 55, toolCall: true });
      if (failure) return failure;
      callTool(run, inside);
      fresh += 260;
    }
    const failure = ask(run, inside, { ...turn, fresh, output: 210, stream: true });
    if (failure) return failure;
    const found = ['email', 'phone'].filter((_, place) => run.random.chance(0.02 / (place + 1)));
    addLeaf(run, inside, {
      kind: 'guardrail',
      ...outcomeOf(run, 'output-pii', 'output', [{ check: 'pii', action: 'redact', types: found }]),
      medianMs: 2,
    });
    return undefined;
  });
}

function ask(run: Run, place: Place, spec: CallSpec): Failure | undefined {
  const fallback = spec.model === 'gpt-4o' ? 'claude-haiku-4-5' : 'gpt-4o';
  return callWithRetry(run, place, { ...spec, fallback });
}

/** The guardrail calls the company's own model; if that fails, the input passes. */
function checkInput(run: Run, place: Place): void {
  const attacks = run.random.chance(0.02) ? ['ignore_instructions'] : [];
  const keys = run.random.chance(0.01) ? ['github_token'] : [];
  const outcome = outcomeOf(run, 'input-policy', 'input', [
    { check: 'prompt_injection', action: 'flag', types: attacks },
    { check: 'secrets', action: 'redact', types: keys },
  ]);
  addSpan(run, place, { kind: 'guardrail', ...outcome }, (here) => {
    callWithRetry(run, here, {
      model: 'acme-llm-7b',
      prompt: 'input-policy',
      promptVersion: '2',
      prefix: 420,
      fresh: 90,
      output: 6,
    });
    return undefined;
  });
}

function searchKnowledgeBase(run: Run, place: Place): void {
  addSpan(run, place, { kind: 'retrieval', name: 'knowledge-base', operation: 'retrieve' }, (here) =>
    embed(run, here, run.random.int(12, 90)),
  );
}

function callTool(run: Run, place: Place): void {
  const { name, medianMs } = run.random.weighted(TOOLS);
  addLeaf(run, place, {
    kind: 'tool',
    name,
    tool: name,
    operation: 'execute_tool',
    medianMs,
    failure: TOOL_FAILED,
    failureRate: 0.015,
  });
}

type DemoCheck = {
  readonly check: string;
  /** What it does if it finds something. */
  readonly action: 'flag' | 'redact';
  /** What it found. */
  readonly types: readonly string[];
};

/** The fields of a guardrail's event, as the server and the SDK record them. */
function outcomeOf(
  { shared }: Run,
  name: string,
  stage: 'input' | 'output',
  found: readonly DemoCheck[],
): Pick<SpanFields, 'name' | 'operation' | 'tags' | 'metadata'> {
  const checks = found.map(({ check, action, types }) => ({
    check,
    action: types.length === 0 ? ('allow' as const) : action,
    score: types.length === 0 ? 0 : 0.95,
    types: Object.fromEntries(types.map((type) => [type, 1])),
  }));
  const outcome = strongest(checks.map(({ action }) => action));
  return {
    name,
    operation: `guardrail.${stage}`,
    tags: { ...shared.tags, guardrail: outcome },
    metadata: { guardrail: { name, version: 1, stage, outcome, checks } },
  };
}
