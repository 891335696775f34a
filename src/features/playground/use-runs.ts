import { useCallback, useEffect, useRef, useState } from 'react';
import type {
  CallEnd,
  CallPart,
  ExpectedCost,
  ModelToolCall,
  modelsEndpoint,
} from '../../core/models/contract.ts';
import { refresh } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { streamed } from '../../dashboard/shell/stream.ts';
import type { RunRequest, runPromptEndpoint } from './contract.ts';

const runApi = endpointOf<typeof runPromptEndpoint>('POST /v1/prompts/run');
export const modelsApi = endpointOf<typeof modelsEndpoint>('GET /v1/models');

/** What a column shows of its last run. */
export type Run = {
  readonly isRunning: boolean;
  readonly expected: ExpectedCost | null;
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ModelToolCall[];
  /** Warnings and retries. */
  readonly notes: readonly string[];
  readonly end: CallEnd | null;
  /** Why the run was refused or broke off. */
  readonly error: string | null;
};

const STARTED: Run = {
  isRunning: true,
  expected: null,
  text: '',
  reasoning: '',
  toolCalls: [],
  notes: [],
  end: null,
  error: null,
};

function withPart(run: Run, part: CallPart): Run {
  switch (part.type) {
    case 'started':
      return { ...run, expected: part.expected };
    case 'text':
      return { ...run, text: run.text + part.text };
    case 'reasoning':
      return { ...run, reasoning: run.reasoning + part.text };
    case 'toolCall':
      return {
        ...run,
        toolCalls: [...run.toolCalls, { id: part.id, name: part.name, arguments: part.arguments }],
      };
    case 'warning':
      return { ...run, notes: [...run.notes, part.message] };
    case 'retrying':
      return { ...run, notes: [...run.notes, `Attempt ${part.attempt} after: ${part.error}`] };
    case 'finished':
      return { ...run, end: part.call };
    case 'lost':
      return { ...run, error: part.error };
  }
}

export type Runs = {
  readonly runs: ReadonlyMap<number, Run>;
  readonly isRunning: boolean;
  /** Starts a run of a column, in the place of its last; nothing while one goes on. */
  start(key: number, body: RunRequest): void;
  /** Shows why a column cannot run. */
  refuse(key: number, error: string): void;
  stop(): void;
};

/** The runs of all columns by their keys. Leaving the page stops them. */
export function useRuns(): Runs {
  const projectId = useProjectId();
  const [runs, setRuns] = useState<ReadonlyMap<number, Run>>(new Map());
  const running = useRef(new Map<number, AbortController>());
  const change = useCallback((key: number, to: (run: Run) => Run): void => {
    setRuns((all) => new Map(all).set(key, to(all.get(key) ?? STARTED)));
  }, []);
  const stop = useCallback((): void => {
    for (const controller of running.current.values()) controller.abort();
  }, []);
  useEffect(() => stop, [stop]);

  const start = (key: number, body: RunRequest): void => {
    // A second call would be paid too.
    if (running.current.has(key)) return;
    const controller = new AbortController();
    running.current.set(key, controller);
    change(key, () => STARTED);
    const isLast = (): boolean => running.current.get(key) === controller;
    const onPart = (part: CallPart): void => {
      if (isLast()) change(key, (run) => withPart(run, part));
    };
    const end = (error: string | null): void => {
      if (!isLast()) return;
      running.current.delete(key);
      change(key, (run) => ({ ...run, isRunning: false, error: run.error ?? error }));
      void refresh(modelsApi);
    };
    streamed<typeof runPromptEndpoint, CallPart>(
      runApi,
      { query: { projectId }, body, signal: controller.signal },
      onPart,
    ).then(
      () => end(null),
      (error: unknown) =>
        end(controller.signal.aborted ? 'Stopped. The call is recorded as cancelled' : messageOf(error)),
    );
  };
  return {
    runs,
    isRunning: [...runs.values()].some((run) => run.isRunning),
    start,
    refuse: (key, error) => change(key, () => ({ ...STARTED, isRunning: false, error })),
    stop,
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
