import { callWithRetry } from './call.ts';
import type { Failure } from './faults.ts';
import { pickUser } from './people.ts';
import { addLeaf, addSpan, openRun, type Place, type Run, type Start } from './run.ts';

const QUERY_FAILED: Failure = {
  status: 'error',
  error_code: 'sql_error',
  error_message: 'The statement was cancelled: it ran for more than 20 s.',
};

/** A report on request: an agent plans with a reasoning model, starts query agents, and writes the report. */
export function runAnalysis(start: Start): Run {
  const { random } = start;
  const run = openRun({ ...start, team: 'insights', feature: 'reports', user: pickUser(random) });
  addSpan(run, {}, { kind: 'agent', name: 'report-analyst', operation: 'invoke_agent' }, (inside) => {
    const planned = callWithRetry(run, inside, {
      model: 'o4-mini',
      fallback: 'gemini-2.5-pro',
      prompt: 'report-plan',
      promptVersion: '3',
      prefix: 1280,
      fresh: 1100,
      output: 260,
    });
    if (planned) return planned;
    for (let left = random.int(1, 4); left > 0; left--) runQueryWorker(run, inside);
    return callWithRetry(run, inside, {
      model: 'gemini-2.5-pro',
      fallback: 'gpt-4.1',
      prompt: 'report-write',
      promptVersion: '5',
      prefix: 1536,
      fresh: 5200,
      output: 900,
      stream: true,
    });
  });
  return run;
}

/** A nested agent: it writes a query, runs it, and corrects it once if it fails. */
function runQueryWorker(run: Run, place: Place): void {
  addSpan(run, place, { kind: 'agent', name: 'sql-worker', operation: 'invoke_agent' }, (inside) => {
    let failure: Failure | undefined;
    for (let attempt = 0; attempt < 2; attempt++) {
      failure = callWithRetry(run, inside, {
        model: 'gpt-4.1',
        prompt: 'write-sql',
        promptVersion: '8',
        prefix: 3072,
        fresh: 450,
        output: 130,
        toolCall: true,
      });
      if (failure) return failure;
      failure = addLeaf(run, inside, {
        kind: 'tool',
        name: 'run_sql',
        tool: 'run_sql',
        operation: 'execute_tool',
        medianMs: 900,
        failure: QUERY_FAILED,
        failureRate: 0.08,
      });
      if (!failure) break;
    }
    return failure;
  });
}
