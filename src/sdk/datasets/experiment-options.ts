import type { Span } from '../span.ts';
import type { Dataset, DatasetItem } from './dataset.ts';

type Awaitable<T> = T | Promise<T>;
/** Scores by their names: numbers, booleans, or words of a category. */
export type Scores = Readonly<Record<string, number | boolean | string>>;

/** An evaluator that the server runs: a saved one, or settings as for `POST /v1/evaluators` without a name. */
export type ExperimentEvaluator =
  | { readonly kind: 'saved'; readonly name: string; readonly version?: number }
  | {
      readonly kind: string;
      readonly scoreName: string;
      readonly config?: Readonly<Record<string, unknown>>;
      readonly output?: Readonly<Record<string, unknown>>;
    };

/** What `client.experiment` runs. */
export type ExperimentOptions<Input = unknown, Expected = unknown, Output = unknown> = {
  readonly name: string;
  /** The dataset, or its name. */
  readonly dataset: Dataset<Input, Expected> | string;
  /** Default: the newest. */
  readonly version?: number | undefined;
  /** Default: all items. */
  readonly split?: string | undefined;
  /** Your own function. What it throws is the error of the item; the others go on. */
  readonly task: (
    item: DatasetItem<Input, Expected>,
    run: { readonly span: Span; readonly repetition: number },
  ) => Awaitable<Output>;
  /** Scores an output in this process. */
  readonly score?: (run: {
    readonly item: DatasetItem<Input, Expected>;
    readonly output: Output;
  }) => Awaitable<Scores>;
  /** Scores outputs on the server. */
  readonly evaluators?: readonly ExperimentEvaluator[] | undefined;
  /** How often each item runs. Default: 1. */
  readonly repetitions?: number | undefined;
  /** Items that run at once, 1 to 64. Default: 4. */
  readonly concurrency?: number | undefined;
  /** Id of an experiment to compare with, or `last`: the last completed one of the dataset. */
  readonly baseline?: string | undefined;
  /** Own id, such as that of a CI job: with it, a run that was cut off goes on where it ended. */
  readonly runId?: string | undefined;
  /** Ends the experiment early; what was reported stays. */
  readonly signal?: AbortSignal | undefined;
};

/** A mean over items with its 95 % interval. */
export type Figure = {
  readonly n: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
};
/** A figure beside that of the baseline over the same items. */
export type ComparedFigure = {
  readonly baseline: number | null;
  readonly difference: Figure | null;
  readonly p: number;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  readonly verdict: 'better' | 'worse' | 'different' | 'unclear';
};

/** An experiment that has ended. */
export type ExperimentResult = {
  readonly id: string;
  readonly name: string;
  /** Address of its page. */
  readonly url: string;
  readonly runs: { readonly done: number; readonly failed: number };
  /** Known costs of the task and the evaluators, in USD. */
  readonly costUsd: number;
  /** Scores by name, `cost` in USD per run, `latency` in ms, `failures` as a share. */
  readonly metrics: Readonly<Record<string, Figure>>;
  /** The same beside the baseline; null without one. */
  readonly comparison: Readonly<Record<string, ComparedFigure>> | null;
};
