import { type CallSpec, callWithRetry, embed } from './call.ts';
import type { Failure } from './faults.ts';
import { pickUser } from './people.ts';
import { addLeaf, addSpan, openRun, type Place, type Run, type Start } from './run.ts';

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
    addLeaf(run, inside, { kind: 'guardrail', name: 'output-pii', operation: 'check_output', medianMs: 9 });
    return undefined;
  });
}

function ask(run: Run, place: Place, spec: CallSpec): Failure | undefined {
  const fallback = spec.model === 'gpt-4o' ? 'claude-haiku-4-5' : 'gpt-4o';
  return callWithRetry(run, place, { ...spec, fallback });
}

/** The guardrail calls the company's own model; if that fails, the input passes. */
function checkInput(run: Run, place: Place): void {
  const metadata = { verdict: run.random.chance(0.02) ? 'flag' : 'pass' };
  addSpan(
    run,
    place,
    { kind: 'guardrail', name: 'input-policy', operation: 'check_input', metadata },
    (here) => {
      callWithRetry(run, here, {
        model: 'acme-llm-7b',
        prompt: 'input-policy',
        promptVersion: '2',
        prefix: 420,
        fresh: 90,
        output: 6,
      });
      return undefined;
    },
  );
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
