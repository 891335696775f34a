import type { Ctx, Service } from '../../../context.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import type { Running } from '../../../http/work/work.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import { readShapes } from '../judge/read-shapes.ts';
import { commitRound } from './commit-round.ts';
import { judgeWork } from './judge-work.ts';
import { type LoadedAlerts, loadRound } from './load-round.ts';
import { readMarks } from './read-marks.ts';
import type { RoundInput, RoundOutcome } from './round.ts';
import type { Given, Want } from './want.ts';

/** Evaluates alerts. The sums of each project are kept on the work thread between rounds. */
export type Evaluator = {
  /**
   * Judges a project up to the last full minute but one, and records what changed.
   * @returns number of changes
   * @throws AppError if the events cannot be read or the outcome cannot be written; the next round starts anew
   */
  evaluate(scope: ProjectScope, signal: AbortSignal): Promise<number>;
  /** Forgets projects other than these. */
  keep(projectIds: ReadonlySet<string>): void;
  close(): void;
};

/** Time for events to arrive after they happened. */
const GRACE_MS = MINUTE_MS;

/** Lives as long as the app. */
export const evaluatorService: Service<Evaluator> = {
  name: 'alerts',
  open: createEvaluator,
  close: (opened) => opened.close(),
};

/** The evaluator of a context. */
export const evaluatorOf = (ctx: Ctx): Evaluator => ctx.use(evaluatorService);

/** A project's work, and the alerts that it knows. */
type Project = { readonly running: Running<Want, Given>; readonly loaded: LoadedAlerts };

function createEvaluator(ctx: Ctx): Evaluator {
  const projects = new Map<string, Project>();

  function drop(projectId: string): void {
    projects.get(projectId)?.running.stop();
    projects.delete(projectId);
  }

  async function run(scope: ProjectScope, signal: AbortSignal): Promise<number> {
    const known = projects.get(scope.projectId);
    const now = ctx.now();
    const at = Math.floor((now - GRACE_MS) / MINUTE_MS);
    const loaded = await loadRound(ctx, scope.projectId, { at, now, known: known?.loaded ?? null });
    const running = known?.running ?? ctx.workers.start(judgeWork, null);
    projects.set(scope.projectId, { running, loaded: { print: loaded.print, alerts: loaded.alerts } });
    if (known === undefined) await running.next({ kind: 'go' });
    const outcome = await runRound(ctx, { scope, running, input: loaded.input, signal });
    return commitRound(ctx, scope, { ...loaded, outcome, signal });
  }

  return {
    async evaluate(scope, signal) {
      try {
        return await run(scope, signal);
      } catch (error) {
        // What it knows is ahead of what is stored.
        drop(scope.projectId);
        throw error;
      }
    },
    keep(projectIds) {
      for (const projectId of projects.keys()) if (!projectIds.has(projectId)) drop(projectId);
    },
    close() {
      for (const projectId of [...projects.keys()]) drop(projectId);
    },
  };
}

type Round = {
  readonly scope: ProjectScope;
  readonly running: Project['running'];
  readonly input: RoundInput;
  readonly signal: AbortSignal;
};

/** Reads what the evaluation asks for until it is done. */
async function runRound(ctx: Ctx, { scope, running, input, signal }: Round): Promise<RoundOutcome> {
  let given: Given = { kind: 'round', input };
  for (;;) {
    signal.throwIfAborted();
    const want = await running.next(given);
    if (want === undefined) throw new Error('the evaluation of alerts ended');
    if (want.kind === 'done') return want.outcome;
    given = await give(ctx, scope, want);
  }
}

async function give(ctx: Ctx, scope: ProjectScope, want: Exclude<Want, { kind: 'done' }>): Promise<Given> {
  if (want.kind === 'read') return { kind: 'series', text: await readShapes(ctx, scope, want.query) };
  if (want.kind === 'marks')
    return { kind: 'marks', marks: await readMarks(ctx, scope, want.of, want.spans) };
  return { kind: 'go' };
}
