import { type Usual, usualOf } from '../../../core/alerts/index.ts';
import type { AlertState } from '../contract.ts';
import type { Rule, Step } from '../table.ts';
import { Cells } from './cells.ts';
import { FIRST, judge } from './judge.ts';
import { DAY, type Span, WINDOW_MINUTES } from './minutes.ts';
import { NO_COST, type Reading, read, type ValueReader, valueReader } from './reading.ts';
import { type RuleShape, shapeOf } from './shape-of.ts';
import { type Totals, totalsOf } from './totals.ts';
import { windowsOf } from './windows-of.ts';

/** Most groups of an alert that are judged: those with most calls in 24 hours. */
export const MAX_GROUPS = 1_000;

/** Sums of a shape, shared by the rules that have it. */
export type ShapeCells = { readonly shape: RuleShape; readonly cells: Cells; readonly key: string };

/** Usual values by group, and the sums that they are computed from, of one hour. */
type UsualValues = {
  readonly hour: number;
  readonly byGroup: Map<number, Usual | null>;
  readonly totals: Memo;
};
const noUsual = (hour: number): UsualValues => ({ hour, byGroup: new Map(), totals: new Map() });

/** A rule that is judged, with what is kept between minutes. */
export type Judged = {
  readonly id: string;
  readonly rule: Rule;
  readonly shape: ShapeCells;
  readonly reader: ValueReader;
  /** The newest states of groups that are or lately were not ok, oldest first, by name. */
  readonly trails: Map<string, Step[]>;
  usual: UsualValues;
};

/** What was found of a group at a minute. */
export type Found = {
  readonly group: string;
  readonly was: Step;
  readonly state: AlertState;
  readonly reading: Reading;
};

/** Shapes by what they are, so that equal ones are one. */
export class Shapes {
  readonly #known = new Map<string, ShapeCells>();

  of(rule: Rule): ShapeCells {
    const shape = shapeOf(rule);
    const key = JSON.stringify(shape);
    const known = this.#known.get(key) ?? { shape, cells: new Cells(shape), key };
    this.#known.set(key, known);
    return known;
  }

  all(): ShapeCells[] {
    return [...this.#known.values()];
  }

  drop(key: string): void {
    this.#known.delete(key);
  }
}

/** A rule of which nothing was judged yet. */
export const toJudged = (id: string, rule: Rule, shapes: Shapes): Judged => ({
  id,
  rule,
  shape: shapes.of(rule),
  reader: valueReader(rule.measure),
  trails: new Map(),
  usual: noUsual(Number.NaN),
});

/** All spans that a rule needs at a minute. */
export function spansOf(rule: Rule, at: number): Span[] {
  const { current, presence, before, samples } = windowsOf(rule, at);
  return [current, presence, ...(before === null ? [] : [before]), ...samples.flat()];
}

/** Sums by shape and span, of one minute: rules with the same window share them. */
export type Memo = Map<string, Totals>;

function totals({ shape: { cells, key } }: Judged, span: Span, memo: Memo): Totals {
  const id = `${span.from} ${span.to} ${key}`;
  const known = memo.get(id) ?? totalsOf(cells, span);
  memo.set(id, known);
  return known;
}

/** The state of a group before a minute. */
export const stateBefore = (trail: readonly Step[] | undefined, at: number): Step =>
  trail?.findLast((step) => step.at < at) ?? FIRST;

export type Judgement = { readonly found: readonly Found[]; readonly total: number; readonly left: number };

/**
 * Judges the groups of a rule at a minute and extends their trails.
 * @param only these groups; all without it
 * @returns what was found of each group that was judged
 */
export function judgeMinute(judged: Judged, at: number, memo: Memo, only?: ReadonlySet<string>): Judgement {
  const { rule, reader, shape, trails } = judged;
  const windows = windowsOf(rule, at);
  const current = totals(judged, windows.current, memo);
  const presence = totals(judged, windows.presence, memo);
  const before = windows.before === null ? null : totals(judged, windows.before, memo);
  const present = presentGroups(judged, current, presence);
  const { cells } = shape;
  const found: Found[] = [];
  for (const group of only ?? groupsOf(judged, present.kept, at)) {
    const id = cells.idOf(group);
    const was = stateBefore(trails.get(group), at);
    const isGone = !present.kept.has(id);
    if (isGone && was.state === 'ok' && rule.groupBy !== null) continue;
    const value = reader.value(current, id);
    const priced = reader.priced(current, id);
    const isForgotten = isGone && (rule.groupBy !== null || (rule.noData === 'ignore' && value === null));
    const reading = isForgotten
      ? GONE
      : {
          ...priced,
          ...read(rule, {
            requests: reader.requests(current, id),
            value,
            unpriced: priced.unpriced,
            before: before === null ? undefined : valueBefore(judged, before, id),
            unpricedBefore: before === null ? undefined : reader.priced(before, id).unpriced,
            usual: windows.samples.length === 0 ? undefined : usualAt(judged, windows.samples, at, id),
          }),
        };
    const state = judge(rule, was, reading.level, at);
    if (state !== was.state) trails.set(group, [...(trails.get(group) ?? []), { at, state }]);
    found.push({ group, was, state, reading });
  }
  return { found, total: present.kept.size, left: present.left };
}

/** The groups to judge: those with calls, and those that were not ok. */
function groupsOf({ rule, shape, trails }: Judged, kept: ReadonlySet<number>, at: number): Set<string> {
  if (rule.groupBy === null) return new Set(['']);
  const names = new Set([...kept].map((id) => shape.cells.names[id] as string));
  for (const [group, trail] of trails) if (stateBefore(trail, at).state !== 'ok') names.add(group);
  return names;
}

/** The value of an earlier window; null without calls in it. */
const valueBefore = ({ reader }: Judged, before: Totals, id: number): number | null =>
  reader.requests(before, id) === 0 ? null : reader.value(before, id);

const GONE: Reading = {
  ...{ level: 'ok', value: null, threshold: null, baseline: null, reason: 'gone' },
  ...NO_COST,
};

/** Groups with calls in the window or in the last 24 hours; of too many, those with most in 24 hours. */
function presentGroups(
  { rule, reader, shape }: Judged,
  current: Totals,
  presence: Totals,
): { readonly kept: ReadonlySet<number>; readonly left: number } {
  const all = WINDOW_MINUTES[rule.window] > DAY ? presence.groups.union(current.groups) : presence.groups;
  if (all.size <= MAX_GROUPS || rule.groupBy === null) return { kept: all, left: 0 };
  const { names } = shape.cells;
  const nameOf = (id: number): string => names[id] ?? '';
  const sizes = [...all].map((id) => [id, reader.requests(presence, id)] as const);
  // By name where the numbers are equal, so that the same groups are judged whoever judges.
  sizes.sort(([a, x], [b, y]) => y - x || (nameOf(a) < nameOf(b) ? -1 : 1));
  return { kept: new Set(sizes.slice(0, MAX_GROUPS).map(([id]) => id)), left: all.size - MAX_GROUPS };
}

/** The usual value of a group in an hour of the week, which is computed once an hour. */
function usualAt(
  judged: Judged,
  samples: readonly (readonly Span[])[],
  at: number,
  id: number,
): Usual | null {
  const hour = Math.floor((at - 1) / 60);
  if (judged.usual.hour !== hour) judged.usual = noUsual(hour);
  const { byGroup, totals: memo } = judged.usual;
  const known = byGroup.get(id);
  if (known !== undefined) return known;
  const { reader } = judged;
  const weeks = samples.map((week) =>
    week.flatMap((span) => {
      const found = totals(judged, span, memo);
      const value = reader.requests(found, id) === 0 ? null : reader.value(found, id);
      return value === null ? [] : [value];
    }),
  );
  const usual = usualOf(weeks);
  byGroup.set(id, usual);
  return usual;
}
