import { writeFileSync } from 'node:fs';
import type { Dataset, DatasetItem } from '../../src/core/datasets/contract.ts';
import {
  createDatasetEndpoint,
  importItemsEndpoint,
  listDatasetsEndpoint,
  listItemsEndpoint,
} from '../../src/core/datasets/contract.ts';
import type { Experiment, ExperimentDetail, ExperimentRun } from '../../src/features/experiments/contract.ts';
import {
  createExperimentEndpoint,
  finishExperimentEndpoint,
  getExperimentEndpoint,
  listExperimentsEndpoint,
  listRunsEndpoint,
  reportResultsEndpoint,
} from '../../src/features/experiments/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import type { BaseContext } from '../command.ts';
import { chooseAmong, listRemoteProjects } from '../remote/find.ts';
import { openServer, type RemoteServer } from '../remote/server.ts';
import { EXIT, type ExitCode, UserError, usageError } from '../user-error.ts';
import { judgeThreshold, parseThreshold, type Threshold } from './fail-if.ts';
import { toJunit } from './junit.ts';
import { inFolder, type PlanFile, readPlan } from './plan-file.ts';
import { printExperiment } from './print-experiment.ts';
import { runProgram } from './run-command.ts';

type Wish = {
  readonly project: string | undefined;
  readonly baseline: string | undefined;
  readonly junit: string | undefined;
  readonly runId: string | undefined;
  readonly thresholds: readonly Threshold[];
};

/** A server and the project of the experiment. */
type Place = {
  readonly server: RemoteServer;
  readonly query: { readonly projectId: string };
  readonly ctx: BaseContext;
};

const POLL_MS = 1_000;
const REPORTED = 100;
const FAILED_SHOWN = 100;

/** Runs the experiment of a file to its end. Returns 1 if it crosses a threshold or cannot go on. */
export async function runExperiment(ctx: BaseContext, path: string, wish: Wish): Promise<ExitCode> {
  if (ctx.server === null)
    throw usageError(
      'experiments run needs a server',
      'Pass --server with its address, and a token with read, datasets:write and experiments:run',
    );
  const plan = await readPlan(ctx, path);
  const thresholds = [...plan.failIf.map(parseThreshold), ...wish.thresholds];
  const server = openServer(ctx.server, ctx.signal);
  const { id: projectId } = await chooseAmong('project', wish.project, await listRemoteProjects(server));
  const place = { server, query: { projectId }, ctx };
  const dataset = await syncDataset(place, plan);
  const created = await create(place, plan, { dataset, wish });
  if (plan.command !== undefined && created.status === 'open')
    await report(place, plan, { dataset, created, command: plan.command });
  const done = await waitFor(place, created.id);
  const judged = thresholds.map((one) => judgeThreshold(one, done));
  const failed = done.runs.failed === 0 ? [] : await failedRuns(place, done.id);
  if (wish.junit !== undefined) writeFileSync(wish.junit, toJunit(done, judged, failed));
  const isDone = done.status === 'completed';
  const hasPassed = isDone && judged.every(({ hasFailed }) => !hasFailed);
  ctx.output.result({ passed: hasPassed, thresholds: judged, experiment: done }, () => {
    printExperiment(ctx, done);
    for (const { text, hasFailed, found } of judged)
      if (hasFailed) ctx.output.warn(`${text}: ${found}`);
      else ctx.output.success(`not ${text}: ${found}`);
    if (!isDone) ctx.output.warn(`The experiment is ${done.status}: ${done.error ?? ''}`);
  });
  return hasPassed ? EXIT.ok : EXIT.failure;
}

/** The dataset of the plan, with the items of its file. */
async function syncDataset({ server, query, ctx }: Place, plan: PlanFile): Promise<Dataset> {
  const { name, file } =
    typeof plan.dataset === 'string' ? { name: plan.dataset, file: undefined } : plan.dataset;
  const { datasets } = await server.get(listDatasetsEndpoint, { query: { ...query, name } });
  const [known] = datasets;
  if (file === undefined) {
    if (known !== undefined) return known;
    throw new UserError({
      what: `There is no dataset ${name}`,
      fix: 'Create it, or name its file in the plan',
      code: 'not_found',
      exit: EXIT.notFound,
    });
  }
  const dataset = known ?? (await server.post(createDatasetEndpoint, { query, body: { name } }));
  const format = /\.csv$/i.test(file) ? 'csv' : /\.json$/i.test(file) ? 'json' : 'jsonl';
  const { outcome } = await server.upload(importItemsEndpoint, {
    params: { id: dataset.id },
    query: { ...query, format, message: `spanledger experiments run: ${file}`.slice(0, 500) },
    body: Bun.file(inFolder(plan, file)),
  });
  ctx.output.info(
    `${name}: version ${outcome?.version}, ${outcome?.added} added, ${outcome?.changed} changed`,
  );
  return dataset;
}

async function create(
  { server, query, ctx }: Place,
  { folder: _, dataset: __, command: ___, failIf: ____, baseline, ...plan }: PlanFile,
  { dataset, wish }: { readonly dataset: Dataset; readonly wish: Wish },
): Promise<Experiment> {
  const baselineId = await baselineOf({ server, query }, dataset, wish.baseline ?? baseline);
  const runId = wish.runId ?? plan.runId;
  const body = {
    ...plan,
    task: plan.task ?? { kind: 'external' },
    datasetId: dataset.id,
    ...(baselineId !== undefined && { baselineId }),
    ...(runId !== undefined && { runId }),
  };
  const { unusable, ...created } = await server.post(createExperimentEndpoint, { query, body });
  if (unusable !== null)
    ctx.output.warn(
      `${unusable.items} of the first ${countText(unusable.of, 'item')} will fail: ${unusable.reason}`,
    );
  return created;
}

/** `last`: the last completed experiment on the dataset; none before the first. */
async function baselineOf(
  { server, query }: Pick<Place, 'server' | 'query'>,
  { id: datasetId }: Dataset,
  given: string | undefined,
): Promise<string | undefined> {
  if (given !== 'last') return given;
  const asked = { ...query, datasetId, status: 'completed', limit: 1 };
  return (await server.get(listExperimentsEndpoint, { query: asked })).experiments[0]?.id;
}

type Reporting = {
  readonly dataset: Dataset;
  readonly created: Experiment;
  readonly command: readonly string[];
};

async function report(
  { server, query, ctx }: Place,
  plan: PlanFile,
  { dataset, created, command }: Reporting,
): Promise<void> {
  const { datasetVersion: version, split } = created;
  const items: DatasetItem[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const asked = {
      ...query,
      version,
      limit: 500,
      ...(cursor !== '' && { cursor }),
      ...(split !== null && { split }),
    };
    const page = (await server.get(listItemsEndpoint, { params: { id: dataset.id }, query: asked })) as {
      items: DatasetItem[];
      nextCursor: string | null;
    };
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  const params = { id: created.id };
  for (let repetition = 1; repetition <= created.repetitions; repetition++) {
    const results = await runProgram(command, { items, cwd: plan.folder, signal: ctx.signal });
    for (let from = 0; from < results.length; from += REPORTED) {
      const part = results.slice(from, from + REPORTED).map((one) => ({ ...one, repetition }));
      await server.post(reportResultsEndpoint, { params, query, body: { items: part } });
    }
  }
  await server.post(finishExperimentEndpoint, { params, query, body: undefined });
}

async function waitFor({ server, query, ctx }: Place, id: string): Promise<ExperimentDetail> {
  for (;;) {
    const found = await server.get(getExperimentEndpoint, { params: { id }, query });
    if (!['preparing', 'running', 'open'].includes(found.status)) return found;
    ctx.output.info(`${found.runs.done + found.runs.failed} of ${found.planned} done`);
    await Bun.sleep(POLL_MS);
    ctx.signal.throwIfAborted();
  }
}

async function failedRuns({ server, query }: Place, id: string): Promise<readonly ExperimentRun[]> {
  const asked = { ...query, only: 'failed', limit: FAILED_SHOWN };
  return (await server.get(listRunsEndpoint, { params: { id }, query: asked })).items;
}
