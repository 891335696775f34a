import { existsSync, writeFileSync } from 'node:fs';
import { listSimulationsEndpoint } from '../../src/features/simulations/contract.ts';
import {
  getRunEndpoint,
  listConversationsEndpoint,
  type SimulatedConversation,
  type SimulationRunDetail,
  startRunEndpoint,
} from '../../src/features/simulations/runs/contract.ts';
import { junitReport } from '../ci/junit.ts';
import type { BaseContext } from '../command.ts';
import { judgeThreshold, type Threshold } from '../experiments/fail-if.ts';
import { chooseAmong, listRemoteProjects } from '../remote/find.ts';
import { openServer } from '../remote/server.ts';
import { EXIT, type ExitCode, UserError, usageError } from '../user-error.ts';
import { printRun } from './print-run.ts';
import { type Place, pushSuite, readSuiteFile } from './push-suite.ts';

type Wish = {
  readonly project: string | undefined;
  readonly only: readonly string[] | undefined;
  readonly repetitions: number | undefined;
  readonly seed: number | undefined;
  readonly junit: string | undefined;
  readonly runId: string | undefined;
  readonly thresholds: readonly Threshold[];
};

const POLL_MS = 1_000;
const PAGE = 100;

/** The server and project of a command. Throws UserError usage (2) without a server. */
export async function openPlace(
  ctx: BaseContext,
  project: string | undefined,
  command: string,
): Promise<Place> {
  if (ctx.server === null)
    throw usageError(
      `${command} needs a server`,
      'Pass --server with its address, and a token with read and experiments:run',
    );
  const server = openServer(ctx.server, ctx.signal);
  const { id: projectId } = await chooseAmong('project', project, await listRemoteProjects(server));
  return { server, query: { projectId } };
}

/** Runs a suite to its end. Returns 1 if it crosses a threshold or cannot go on. */
export async function runSimulation(ctx: BaseContext, suite: string, wish: Wish): Promise<ExitCode> {
  const file = existsSync(suite) ? await readSuiteFile(ctx, suite) : null;
  const place = await openPlace(ctx, wish.project, 'simulations run');
  const id =
    file === null
      ? await findSuite(place, suite)
      : (await pushSuite(place, file, `simulations run ${suite}`)).id;
  const { only, repetitions, seed, runId } = wish;
  const body = {
    ...(only !== undefined && only.length > 0 && { only }),
    ...(repetitions !== undefined && { repetitions }),
    ...(seed !== undefined && { seed }),
    ...(runId !== undefined && { runId }),
  };
  const { server, query } = place;
  const started = await server.post(startRunEndpoint, { params: { id }, query, body });
  const done = await waitFor(ctx, place, started.id);
  const judged = wish.thresholds.map((one) => judgeThreshold(one, done));
  if (wish.junit !== undefined)
    writeFileSync(wish.junit, toJunit(done, judged, await allConversations(place, done.id)));
  const isDone = done.status === 'completed';
  const hasPassed = isDone && judged.every(({ hasFailed }) => !hasFailed);
  ctx.output.result({ passed: hasPassed, thresholds: judged, run: done }, () => {
    printRun(ctx, done);
    for (const { text, hasFailed, found } of judged)
      if (hasFailed) ctx.output.warn(`${text}: ${found}`);
      else ctx.output.success(`not ${text}: ${found}`);
    if (!isDone) ctx.output.warn(`The run is ${done.status}: ${done.error ?? ''}`);
  });
  return hasPassed ? EXIT.ok : EXIT.failure;
}

async function findSuite({ server, query }: Place, given: string): Promise<string> {
  const { simulations } = await server.get(listSimulationsEndpoint, { query });
  const found = simulations.find(({ id, name }) => id === given || name === given);
  if (found !== undefined) return found.id;
  const names = simulations.map(({ name }) => name).join(', ');
  throw new UserError({
    what: `There is no suite ${given}`,
    fix: names === '' ? 'Push one with `spanledger simulations push`' : `Name one of ${names}, or a file`,
    code: 'not_found',
    exit: EXIT.notFound,
  });
}

/** Tells how far the run is whenever that changes. */
async function waitFor(
  ctx: BaseContext,
  { server, query }: Place,
  run: string,
): Promise<SimulationRunDetail> {
  for (let told = ''; ; ) {
    const found = await server.get(getRunEndpoint, { params: { run }, query });
    const { passed, failed, lost, running } = found.counts;
    const now = `${passed + failed + lost} of ${found.planned} conversations done, ${failed} failed, ${running} running`;
    if (now !== told) ctx.output.info(now);
    told = now;
    if (found.status !== 'running') return found;
    await Bun.sleep(POLL_MS);
    ctx.signal.throwIfAborted();
  }
}

async function allConversations({ server, query }: Place, run: string): Promise<SimulatedConversation[]> {
  const all: SimulatedConversation[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const asked = { ...query, limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const page: { conversations: SimulatedConversation[]; nextCursor: string | null } = await server.get(
      listConversationsEndpoint,
      { params: { run }, query: asked },
    );
    all.push(...page.conversations);
    cursor = page.nextCursor;
  }
  return all;
}

/** A test for each threshold and for each conversation. */
const toJunit = (
  { simulationName }: SimulationRunDetail,
  thresholds: readonly ReturnType<typeof judgeThreshold>[],
  conversations: readonly SimulatedConversation[],
): string =>
  junitReport(simulationName, [
    ...thresholds.map(({ text, hasFailed, found }) => ({
      group: 'thresholds',
      name: text,
      failure: hasFailed ? found : null,
    })),
    ...conversations.map(({ scenario, repetition, outcome, failure }) => ({
      group: scenario,
      name: `${scenario} (${repetition})`,
      failure: outcome === 'passed' ? null : (failure ?? outcome ?? 'has not ended'),
    })),
  ]);
