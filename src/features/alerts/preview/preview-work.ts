import type { SeriesPart } from '../../../core/events/index.ts';
import type { Work } from '../../../http/work/work.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import { type Found, type Judged, judgeMinute, Shapes, spansOf, toJudged } from '../judge/evaluator.ts';
import { DAY } from '../judge/minutes.ts';
import { toQuery } from '../judge/plan-reads.ts';
import type { RuleShape } from '../judge/shape-of.ts';
import type { ShapeQuery } from '../judge/shape-query.ts';
import { windowsOf } from '../judge/windows-of.ts';
import type { Rule } from '../table.ts';
import { type Drawn, PreviewDrawing } from './draw.ts';

/** Minutes since 1970: the first and the last minute to judge. */
export type PreviewInput = { readonly rule: Rule; readonly from: number; readonly to: number };

export type PreviewWant =
  | { readonly kind: 'read'; readonly query: ShapeQuery }
  | { readonly kind: 'pause' }
  | { readonly kind: 'done'; readonly drawn: Drawn };
export type PreviewGiven = { readonly text: string | null };

type Steps = Generator<PreviewWant, void, PreviewGiven>;

const SLICE_MS = 15;

/** Judges every minute of a time by the same rules as a running alert. */
export const previewWork: Work<PreviewInput, PreviewWant, PreviewGiven> = {
  name: 'alerts.preview',
  *run({ rule, from, to }): Steps {
    const drawing = new PreviewDrawing(rule, from, to);
    yield* judgeMinutes(
      { rule, from, to },
      {
        found: (minute, found) => drawing.add(minute, found),
        read: (part, { width }) => drawing.count(part, width),
      },
    );
    yield { kind: 'done', drawn: drawing.finish() };
  },
};

/** Gets what each minute says, in order, and what was read of the minutes. */
type Listener = {
  found(minute: number, found: readonly Found[]): void;
  read?(part: SeriesPart, shape: RuleShape): void;
};

/** Judges every minute of a time, reading a day after the other. */
export function* judgeMinutes({ rule, from, to }: PreviewInput, listener: Listener): Steps {
  const judged = toJudged('preview', rule, new Shapes());
  const reach = reachOf(rule);
  yield* readOlder(judged, from, reach);
  let since = performance.now();
  let read = from - reach.near;
  for (let minute = from; minute <= to; minute++) {
    for (; read < minute; read = Math.min(read + DAY, to)) {
      const part = yield* readSpan(judged, { from: read, to: Math.min(read + DAY, to) }, 1);
      if (part !== undefined) listener.read?.(part, judged.shape.shape);
      judged.shape.cells.coarsen(minute - reach.near);
    }
    const { found } = judgeMinute(judged, minute, new Map());
    for (const [group, trail] of judged.trails) judged.trails.set(group, trail.slice(-1));
    listener.found(minute, found);
    if (performance.now() - since > SLICE_MS) {
      yield { kind: 'pause' };
      since = performance.now();
    }
  }
}

/** How far back a rule looks, in minutes: by the minute, and in steps of five minutes for the samples of an anomaly. */
function reachOf(rule: Rule): { readonly near: number; readonly far: number } {
  const { current, presence, before } = windowsOf(rule, 0);
  const near = Math.min(current.from, presence.from, before?.from ?? 0);
  const far = Math.min(...spansOf(rule, 0).map((span) => span.from));
  return { near: -near, far: -far };
}

/** Reads what an anomaly compares the first minutes with. */
function* readOlder(judged: Judged, from: number, { near, far }: ReturnType<typeof reachOf>): Steps {
  if (far === near) return;
  const end = Math.ceil((from - near) / 5) * 5;
  for (let start = Math.floor((from - far) / 5) * 5; start < end; start += DAY)
    yield* readSpan(judged, { from: start, to: Math.min(start + DAY, end) }, 5);
}

function* readSpan(
  { shape: { shape, cells } }: Judged,
  { from, to }: { readonly from: number; readonly to: number },
  step: 1 | 5,
): Generator<PreviewWant, SeriesPart | undefined, PreviewGiven> {
  if (from >= to) return;
  const range = { from: from * MINUTE_MS, to: to * MINUTE_MS, step: step * MINUTE_MS, shapes: [0] };
  const { text } = yield { kind: 'read', query: toQuery([shape], [range]) };
  const [part] = JSON.parse(text ?? '[]') as SeriesPart[];
  cells.load(step, { from, to }, part);
  return part;
}
