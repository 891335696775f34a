import {
  RUN_SUMS,
  type RunShape,
  type RunSum,
  type SeriesPart,
  type SeriesShape,
  type Sum,
} from '../../../src/core/events/index.ts';
import type { ScoreShape } from '../../../src/core/scores/index.ts';
import { LiveProject } from '../../../src/features/alerts/evaluate/live-project.ts';
import type { GroupInput, RoundInput, RoundOutcome } from '../../../src/features/alerts/evaluate/round.ts';
import type { Given, SpanMark, Want } from '../../../src/features/alerts/evaluate/want.ts';
import type { Found } from '../../../src/features/alerts/judge/evaluator.ts';
import type { ShapeQuery } from '../../../src/features/alerts/judge/shape-query.ts';
import { type Drawn, PreviewDrawing } from '../../../src/features/alerts/preview/draw.ts';
import { judgeMinutes } from '../../../src/features/alerts/preview/preview-work.ts';
import type { Rule } from '../../../src/features/alerts/table.ts';
import { sketchBin } from '../../../src/lib/sketch.ts';
import { MINUTE_MS } from '../../../src/lib/time.ts';

/** A call with when it arrived; epoch milliseconds. */
export type Call = {
  readonly ts: number;
  readonly arrived: number;
  readonly model: string;
  readonly failed: boolean;
  /** 0 for a call without a price. */
  readonly costNano: number;
  readonly latencyMs: number;
  /** Another call of the run that the call begins. Its agent is called as the model. */
  readonly more: { readonly costNano: number; readonly arrived: number } | null;
  /** The score that somebody gave it. */
  readonly score: { readonly value: number; readonly arrived: number } | null;
};

/** Answers a query over the calls that have arrived, by the plainest means. `calls` are in order of time. */
export function answer(calls: readonly Call[], until: number, asked: ShapeQuery): SeriesPart[] {
  const shapes = shapesOf(asked);
  return asked.query.ranges.flatMap((range, place) => {
    const found: Call[] = [];
    for (let i = firstFrom(calls, range.from); i < calls.length; i++) {
      const call = calls[i] as Call;
      if (call.ts >= range.to) break;
      found.push(call);
    }
    return range.shapes.map((shape): SeriesPart => {
      const { model: only, arrivedOf, groupBy, sums, times } = shapes[shape] as Shape;
      const own = found.filter(
        (call) => (only === undefined || only === call.model) && arrivedOf(call) <= until,
      );
      const groups = [...new Set(own.map(({ model }) => (groupBy === null ? '' : model)))];
      const cells = Map.groupBy(
        own,
        ({ ts, model }) => `${Math.floor(ts / range.step)} ${groups.indexOf(groupBy === null ? '' : model)}`,
      );
      const rows = [...cells];
      return {
        range: place,
        shape,
        groups,
        cells: rows.flatMap(([key, of]) => [
          ...key.split(' ').map(Number),
          ...sums.map((value) => of.reduce((all, call) => all + value(call, until), 0)),
        ]),
        times: rows.flatMap(([, of]) => times.map((time) => binsOf(of, time, until))),
      };
    });
  });
}

function firstFrom(calls: readonly Call[], from: number): number {
  let [low, high] = [0, calls.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((calls[middle] as Call).ts < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

const VALUES: Partial<Record<Sum, (call: Call) => number>> = {
  requests: () => 1,
  errors: ({ failed }) => Number(failed),
  cost_nano: ({ costNano }) => costNano,
  unpriced: ({ costNano }) => Number(costNano === 0),
  latency_us: ({ latencyMs }) => latencyMs * 1_000,
  latency_count: () => 1,
};

/** What a shape adds up, and when a call is known to it. */
type Shape = {
  readonly model: string | undefined;
  readonly groupBy: string | null;
  arrivedOf(call: Call): number;
  readonly sums: readonly ((call: Call, until: number) => number)[];
  readonly times: readonly ('cost' | 'latency' | 'ttft')[];
};
function shapesOf(asked: ShapeQuery): Shape[] {
  if (asked.of === 'calls') return asked.query.shapes.map(ofCalls);
  return asked.of === 'runs' ? asked.query.shapes.map(ofRuns) : asked.query.shapes.map(ofScores);
}
const ofCalls = ({ filters, groupBy, sums, times }: SeriesShape): Shape => ({
  ...{ model: filters.model, groupBy, times },
  arrivedOf: ({ arrived }) => arrived,
  sums: sums.map((sum) => VALUES[sum] ?? (() => 0)),
});
const ofScores = ({ where, groupBy }: ScoreShape): Shape => ({
  ...{ model: where[0]?.values?.[0], groupBy, times: [] },
  arrivedOf: ({ score }) => score?.arrived ?? Number.NaN,
  sums: [() => 1, ({ score }) => score?.value ?? 0],
});

/** What a run costs as far as its calls have arrived. */
const costOf = ({ costNano, more }: Call, until: number): number =>
  costNano + (more !== null && more.arrived <= until ? more.costNano : 0);
const RUN_VALUES: Readonly<Record<RunSum, (call: Call, until: number) => number>> = {
  runs: () => 1,
  failed: ({ failed }) => Number(failed),
  known: () => 1,
  known_succeeded: ({ failed }) => Number(!failed),
  unpriced: () => 0,
  cost_nano: costOf,
  timed: () => 1,
  latency_us: ({ latencyMs }) => latencyMs * 1_000,
  marks: ({ ts }) => ts % 10_000,
};
const ofRuns = ({ filters, groupBy, times }: RunShape): Shape => ({
  ...{ model: filters.where?.[0]?.values?.[0], groupBy, times },
  arrivedOf: ({ arrived }) => arrived,
  sums: RUN_SUMS.map((sum) => RUN_VALUES[sum]),
});

function binsOf(calls: readonly Call[], time: Shape['times'][number], until: number): number[] {
  const bins = new Map<number, number>();
  for (const call of calls) {
    const bin = sketchBin(time === 'cost' ? costOf(call, until) : call.latencyMs * 1_000);
    bins.set(bin, (bins.get(bin) ?? 0) + 1);
  }
  return [...bins].flat();
}

/** A state that began at a minute. */
export type Begun = { readonly at: number; readonly state: string };

/** The running evaluation of one rule, with what it would have stored. */
export class Replay {
  readonly #rule: Rule;
  readonly #calls: readonly Call[];
  #project = new LiveProject();
  #isNew = true;
  readonly #since: number;
  readonly #groups = new Map<string, GroupInput>();
  #stored: { judgedTo: number | null; marks: RoundOutcome['marks'] } = { judgedTo: null, marks: [] };
  /** What holds, by group. */
  readonly begun = new Map<string, Begun[]>();
  superseded = 0;

  constructor(rule: Rule, calls: readonly Call[], since: number) {
    this.#since = since;
    this.#rule = rule;
    this.#calls = calls;
  }

  /** The process ends and starts anew. */
  restart(): void {
    this.#project = new LiveProject();
    this.#isNew = true;
  }

  /** Judges up to a minute, which ended a minute ago. */
  round(at: number): void {
    const input: RoundInput = {
      at,
      now: (at + 1) * MINUTE_MS,
      rules: [
        {
          ...{ id: 'a', version: 1, rule: this.#rule, since: this.#since },
          ...{ opensIncident: false, notifies: true, stored: null },
        },
      ],
      silences: [],
      stored: this.#isNew ? { ...this.#stored, groups: [...this.#groups.values()] } : null,
    };
    this.#isNew = false;
    const steps = this.#project.round(input);
    let given: Given = { kind: 'go' };
    for (;;) {
      const { value, done } = steps.next(given);
      if (done === true) {
        this.#apply(value);
        return;
      }
      given = this.#give(value, input.now);
    }
  }

  #give(want: Want, until: number): Given {
    if (want.kind === 'marks') return { kind: 'marks', marks: this.#marks(want, until) };
    if (want.kind !== 'read') return { kind: 'go' };
    return { kind: 'series', text: JSON.stringify(answer(this.#calls, until, want.query)) };
  }

  /** Marks of runs and scores by the minute. Nothing is older than what is judged again. */
  #marks({ of, spans }: Extract<Want, { kind: 'marks' }>, until: number): SpanMark[] {
    const minutes = of.of === 'calls' ? [] : spans.filter(({ step }) => step === 1);
    return minutes.flatMap(({ from, to }) => {
      const range = { from: from * MINUTE_MS, to: to * MINUTE_MS, step: MINUTE_MS, shapes: [0] };
      const scores = [{ name: 'tone', category: null, where: [], groupBy: null }];
      const runs = [{ filters: {}, groupBy: null, times: [] }];
      const [parts, width] =
        of.of === 'runs'
          ? [
              answer(this.#calls, until, { of: 'runs', query: { shapes: runs, ranges: [range] } }),
              RUN_SUMS.length + 2,
            ]
          : [answer(this.#calls, until, { of: 'scores', query: { shapes: scores, ranges: [range] } }), 4];
      return parts.flatMap(({ cells }) =>
        Array.from({ length: cells.length / width }, (_, i): SpanMark => {
          const [step = 0, , ...sums] = cells.slice(i * width, (i + 1) * width);
          return { from: step, to: step + 1, print: sums.join(' ') };
        }),
      );
    });
  }

  #apply({ at, marks, changes }: RoundOutcome): void {
    this.#stored = { judgedTo: at, marks };
    for (const { group, history, superseded, row } of changes) {
      const gone = new Set(superseded.map((step) => `${step.at} ${step.state}`));
      this.superseded += gone.size;
      const kept = (this.begun.get(group) ?? []).filter(({ at, state }) => !gone.has(`${at} ${state}`));
      const all = [...kept, ...history.map(({ at, to }) => ({ at, state: to }))];
      this.begun.set(
        group,
        all.sort((a, b) => a.at - b.at),
      );
      if (row === null) this.#groups.delete(group);
      else
        this.#groups.set(group, {
          alertId: 'a',
          group,
          trail: row.trail,
          told: row.told,
          toldAt: row.toldAt,
        });
    }
  }
}

/** A time in which a group was not ok; `to` is null for until the end. */
export type Spent = {
  readonly group: string;
  readonly state: string;
  readonly from: number;
  readonly to: number | null;
};

/** The times that states make which began one after the other in a group, up to a minute. */
export const timesOf = (group: string, begun: readonly Begun[], end: number): Spent[] => {
  const held = begun.filter(({ at }) => at <= end);
  return held.flatMap(({ at, state }, i) =>
    state === 'ok' ? [] : [{ group, state, from: at, to: held[i + 1]?.at ?? null }],
  );
};

/** What a preview of all calls decides, and what it draws of that. Minutes since 1970. */
export function preview(
  rule: Rule,
  calls: readonly Call[],
  from: number,
  to: number,
): { readonly times: readonly Spent[]; readonly drawn: Drawn } {
  const begun = new Map<string, Begun[]>();
  const drawing = new PreviewDrawing(rule, from, to);
  const found = (minute: number, all: readonly Found[]): void => {
    drawing.add(minute, all);
    for (const { group, was, state } of all)
      if (state !== was.state) begun.set(group, [...(begun.get(group) ?? []), { at: minute, state }]);
  };
  const steps = judgeMinutes({ rule, from, to }, { found });
  let text: string | null = null;
  for (;;) {
    const { value, done } = steps.next({ text });
    if (done === true) break;
    text =
      value.kind === 'read' ? JSON.stringify(answer(calls, Number.POSITIVE_INFINITY, value.query)) : null;
  }
  const times = [...begun].flatMap(([group, own]) => timesOf(group, own, to));
  return { times, drawn: drawing.finish() };
}
