import { newEventId } from '../ids.ts';
import type { Span, SpanFields } from '../span.ts';
import { ApiError, type Ask, pause } from './api.ts';
import { type DatasetItem, openDataset } from './dataset.ts';
import type { ExperimentOptions, ExperimentResult, Figure, Scores } from './experiment-options.ts';

type Host = {
  readonly ask: Ask;
  readonly pages: () => Promise<string>;
  readonly flush: () => Promise<unknown>;
  readonly trace: <T>(name: string, fn: (span: Span) => T, fields?: SpanFields) => T;
};

type Created = {
  readonly id: string;
  readonly status: string;
  readonly datasetVersion: number;
};
type Named<T> = T & { readonly name: string };
type Detail = Omit<ExperimentResult, 'url' | 'metrics' | 'comparison'> & {
  readonly status: string;
  readonly error: string | null;
  readonly metrics: readonly Named<Figure>[];
  readonly comparison: { readonly metrics: readonly Named<ComparedRow>[] } | null;
};
type ComparedRow = NonNullable<ExperimentResult['comparison']>[string];
type Result = { readonly itemId: string; readonly repetition: number };

/** Results that are reported at a time: the most that a crash loses, besides those that run. */
const REPORTED = 20;
const LISTED = 100;
const POLL_MS = 1_000;
const UNFINISHED = ['open', 'running', 'preparing'];

/**
 * Runs a function over the items of a dataset. Each run is a trace, so that the costs of its calls are those of the
 * item; results are reported as they come.
 */
export const runExperiment = async <I, E, O>(
  host: Host,
  options: ExperimentOptions<I, E, O>,
): Promise<ExperimentResult> => {
  const { ask } = host;
  const created = await create(ask, options);
  if (created.status === 'open') {
    await runItems(host, options, created);
    await ask('POST', `/v1/experiments/${created.id}/finish`);
  }
  for (;;) {
    const found = await ask<Detail>('GET', `/v1/experiments/${created.id}`);
    if (!UNFINISHED.includes(found.status)) return toResult(await host.pages(), found);
    await pause(POLL_MS);
    options.signal?.throwIfAborted();
  }
};

const create = async <I, E, O>(ask: Ask, options: ExperimentOptions<I, E, O>): Promise<Created> => {
  const { name, version, split, evaluators = [], repetitions = 1, baseline } = options;
  const datasetId = nameOf(options.dataset);
  const baselineId = baseline === 'last' ? await lastOf(ask, datasetId) : baseline;
  // With an id of its own, a repeated request does not create a second one.
  const runId = options.runId ?? newEventId();
  const body = { name, datasetId, version, split, task: { kind: 'external' }, evaluators, repetitions };
  return ask('POST', '/v1/experiments', { body: { ...body, runId, baselineId } });
};

const nameOf = (dataset: { readonly name: string } | string): string =>
  typeof dataset === 'string' ? dataset : dataset.name;

const lastOf = async (ask: Ask, name: string): Promise<string | undefined> => {
  const { datasets } = await ask<{ datasets: { id: string }[] }>('GET', '/v1/datasets', { query: { name } });
  const query = { datasetId: datasets[0]?.id ?? name, status: 'completed', limit: 1 };
  return (await ask<{ experiments: { id: string }[] }>('GET', '/v1/experiments', { query })).experiments[0]
    ?.id;
};

const keyOf = ({ itemId, repetition }: Result): string => JSON.stringify([itemId, repetition]);

/** Results that an earlier process reported; those that failed run again. */
const reportedBefore = async (ask: Ask, id: string): Promise<ReadonlySet<string>> => {
  const known = new Set<string>();
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: { items: (Result & { error: string | null })[]; nextCursor: string | null } = await ask(
      'GET',
      `/v1/experiments/${id}/items`,
      { query: { cursor, limit: LISTED } },
    );
    for (const one of page.items) if (one.error === null) known.add(keyOf(one));
    cursor = page.nextCursor;
  }
  return known;
};

const runItems = async <I, E, O>(
  { ask, flush, trace }: Host,
  options: ExperimentOptions<I, E, O>,
  { id, datasetVersion: version }: Created,
): Promise<void> => {
  const { split, repetitions = 1, concurrency = 4, signal, name } = options;
  const known = await reportedBefore(ask, id);
  const ready: object[] = [];
  let sending: Promise<void> = Promise.resolve();
  const report = (least: number): Promise<void> => {
    sending = sending.then(async () => {
      while (ready.length >= least && ready.length > 0) {
        const items = ready.splice(0, REPORTED);
        // The server reads the cost of a run from its trace.
        await flush();
        await ask('POST', `/v1/experiments/${id}/items`, { body: { items } });
      }
    });
    return sending;
  };

  const pending = async function* (): AsyncGenerator<Result & { item: DatasetItem<I, E> }> {
    for await (const item of openDataset<I, E>(ask, nameOf(options.dataset)).items({ version, split }))
      for (let repetition = 1; repetition <= repetitions; repetition++) {
        const place = { itemId: item.id, repetition };
        if (!known.has(keyOf(place))) yield { ...place, item };
      }
  };
  const queue = pending();
  const work = async (): Promise<void> => {
    for await (const { item, ...place } of shared(queue)) {
      signal?.throwIfAborted();
      const fields = { tags: { experiment: id } };
      const result = await trace(
        name,
        (span) => runOne(options, { item, span, repetition: place.repetition }),
        fields,
      );
      ready.push({ ...place, ...result });
      await report(REPORTED);
    }
  };
  const workers = Math.min(64, Math.max(1, Math.floor(concurrency)));
  const ended = await Promise.allSettled(Array.from({ length: workers }, work));
  await report(1);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
};

/** A generator that several loops read: one that ends does not end it for the others. */
const shared = <T>(queue: AsyncGenerator<T>): AsyncIterable<T> => ({
  [Symbol.asyncIterator]: () => ({ next: () => queue.next() }),
});

type OneRun<I, E> = { readonly item: DatasetItem<I, E>; readonly span: Span; readonly repetition: number };

const runOne = async <I, E, O>(
  { task, score }: ExperimentOptions<I, E, O>,
  { item, span, repetition }: OneRun<I, E>,
): Promise<object> => {
  const started = performance.now();
  const since = (): { traceId: string; latencyMs: number } => ({
    traceId: span.traceId,
    latencyMs: performance.now() - started,
  });
  try {
    const output = await task(item, { span, repetition });
    const took = since();
    const scores = Object.entries((await score?.({ item, output })) ?? ({} as Scores));
    return { ...took, output: output ?? null, scores: scores.map(([name, value]) => ({ name, value })) };
  } catch (error) {
    span.set({ status: 'error' });
    return {
      ...since(),
      error: String(error instanceof Error ? error.message : error).slice(0, 2_000) || 'failed',
    };
  }
};

const byName = <T extends { readonly name: string }>(list: readonly T[]): Record<string, T> =>
  Object.fromEntries(list.map((one) => [one.name, one]));

const toResult = (pages: string, detail: Detail): ExperimentResult => {
  const { id, name, status, error, runs, costUsd, metrics, comparison } = detail;
  const url = `${pages}/experiments/${id}`;
  if (status !== 'completed')
    throw new ApiError(
      `the experiment ${name} is ${status}${error === null ? '' : `: ${error}`}; see ${url}`,
      null,
    );
  return {
    id,
    name,
    url,
    runs: { done: runs.done, failed: runs.failed },
    costUsd,
    metrics: byName(metrics),
    comparison: comparison && byName(comparison.metrics),
  };
};
