/*
 * The story of the demo month. A small company runs a product assistant. All times are UTC, days are
 * counted back from the day of `now`, and the figures are in `DEMO_STORY` (story.ts).
 *
 * All month   Working days are busy from 8 to 17 h, nights and weekends quiet; traffic doubles.
 *             About 1 % of calls fail, with several error codes; 1 % of streams are cancelled.
 *             The guardrail's own model, acme-internal/acme-llm-7b, has no price.
 * Day 24, 16, 11, 3   13–16 h: an import doubles the traffic, OpenAI replies 429 to a third of it.
 * Day 21      Release 2.4.0 enables prompt caching; the cache rate increases from 0 until today.
 * Day 13      Version 5 of the prompt `docs-answer` makes answers 50 % longer.
 * Day 9       Release 2.5.0 moves ticket triage from gpt-4o to gpt-4o-mini, and its cost falls.
 * Day 7       13–17 h: more than half of the calls to Anthropic time out after 30 s.
 * Day 5 on    gemini-2.5-flash gets slower day by day, to almost twice its usual latency.
 * Each night  2 h: the index of the documentation is rebuilt with embeddings.
 */
import { runAnalysis } from './analyst.ts';
import { callModel, callWithRetry, embed } from './call.ts';
import type { ModelName } from './models.ts';
import { pickQuestionHash, pickUser } from './people.ts';
import { addSpan, openRun, type Run, type Start } from './run.ts';
import { DEMO_STORY, dayMoment, isReleased } from './story.ts';
import { runConversation } from './support.ts';

/** A kind of traffic: its frequency, and the traces of one occurrence. */
export type Workload = {
  readonly name: string;
  /** Occurrences in a peak hour at scale 1. */
  readonly perPeakHour: number;
  readonly run: (start: Start) => Run[];
};

/** Traffic of users and of the product's own jobs during the day. */
export const WORKLOADS: readonly Workload[] = [
  { name: 'support conversation', perPeakHour: 1.2, run: runConversation },
  { name: 'documentation search', perPeakHour: 3.8, run: (start) => [runDocsSearch(start)] },
  { name: 'ticket triage', perPeakHour: 6, run: (start) => [runTriage(start)] },
  { name: 'reply draft', perPeakHour: 3.2, run: (start) => [runDraft(start)] },
  { name: 'report analysis', perPeakHour: 0.4, run: (start) => [runAnalysis(start)] },
  { name: 'playground', perPeakHour: 1, run: (start) => [runPlayground(start)] },
];

/** Hour of the UTC day in which the index is rebuilt. */
export const INDEX_HOUR = 2;

const PLAYGROUND: readonly (readonly [ModelName, number])[] = [
  ['claude-sonnet-4-5', 3],
  ['gpt-4.1', 2],
  ['gemini-2.5-pro', 2],
  ['o4-mini', 2],
  ['acme-llm-7b', 1],
  ['mistral-small-latest', 1],
];

/** Classifies one incoming ticket with a single short call. */
export function runTriage(start: Start): Run {
  const { random, now } = start;
  const { triageMove } = DEMO_STORY;
  const run = openRun({ ...start, team: 'support', feature: 'triage' });
  const moved = isReleased(now, start.at, { ...triageMove, environment: run.environment });
  const usual = moved ? triageMove.to : triageMove.from;
  callWithRetry(
    run,
    {},
    {
      model: random.chance(0.2) ? 'mistral-small-latest' : usual,
      prompt: 'ticket-triage',
      promptVersion: moved ? '3' : '2',
      prefix: 640,
      fresh: 320,
      output: 28,
    },
  );
  return run;
}

/** Answers a question from the documentation: retrieval, then one streamed call. */
function runDocsSearch(start: Start): Run {
  const { random, now, at } = start;
  const { promptChange } = DEMO_STORY;
  const run = openRun({ ...start, team: 'docs', feature: 'docs-search', user: pickUser(random) });
  const changed = at >= dayMoment(now, promptChange);
  addSpan(run, {}, { kind: 'chain', name: 'docs-search', operation: 'answer_question' }, (inside) => {
    const lost = addSpan(
      run,
      inside,
      { kind: 'retrieval', name: 'docs-index', operation: 'retrieve' },
      (here) => embed(run, here, random.int(8, 60)),
    );
    if (lost) return lost;
    return callWithRetry(run, inside, {
      model: random.chance(0.7) ? 'gemini-2.5-flash' : 'gpt-4o-mini',
      fallback: 'gpt-4o-mini',
      prompt: promptChange.prompt,
      promptVersion: changed ? promptChange.toVersion : promptChange.fromVersion,
      promptHash: pickQuestionHash(random),
      prefix: 1536,
      fresh: 2400,
      output: changed ? 240 * promptChange.outputFactor : 240,
      stream: true,
    });
  });
  return run;
}

/** Drafts a reply for a support agent, streamed into the editor. */
function runDraft(start: Start): Run {
  const { random } = start;
  const run = openRun({ ...start, team: 'support', feature: 'draft', user: pickUser(random) });
  callWithRetry(
    run,
    {},
    {
      model: random.weighted([
        ['gpt-4.1', 55],
        ['mistral-large-latest', 25],
        ['claude-haiku-4-5', 20],
      ]),
      fallback: 'mistral-large-latest',
      prompt: 'draft-reply',
      promptVersion: '11',
      prefix: 1152,
      fresh: 900,
      output: 190,
      stream: true,
    },
  );
  return run;
}

/** A developer who tries out models. */
function runPlayground(start: Start): Run {
  const { random } = start;
  const run = openRun({ ...start, team: 'platform', feature: 'playground', environment: 'dev' });
  callModel(
    run,
    {},
    {
      model: random.weighted(PLAYGROUND),
      prompt: 'playground',
      promptVersion: `draft-${random.int(1, 9)}`,
      prefix: 200,
      fresh: 1500,
      output: 350,
    },
  );
  return run;
}

/** Rebuilds the documentation's index: one trace with `chunks` embeddings. */
export function runNightlyIndex(start: Start, chunks: number): Run {
  const run = openRun({ ...start, team: 'docs', feature: 'indexing', environment: 'production' });
  const metadata = { chunks };
  addSpan(
    run,
    {},
    { kind: 'chain', name: 'nightly-index', operation: 'rebuild_index', metadata },
    (inside) => {
      for (let chunk = 0; chunk < chunks; chunk++) embed(run, inside, run.random.int(1500, 8000));
      return undefined;
    },
  );
  return run;
}
