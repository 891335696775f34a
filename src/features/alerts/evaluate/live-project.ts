import type { SeriesPart } from '../../../core/events/index.ts';
import type { Cell } from '../judge/cells.ts';
import {
  type Found,
  type Judgement,
  judgeMinute,
  type Memo,
  type ShapeCells,
  Shapes,
  spansOf,
  toJudged,
} from '../judge/evaluator.ts';
import type { Span } from '../judge/minutes.ts';
import { planReads } from '../judge/plan-reads.ts';
import type { ShapeQuery } from '../judge/shape-query.ts';
import type { Step } from '../table.ts';
import type { LiveRule, Revision, Revisions } from './live-rule.ts';
import { type Late, lateMinutes, readPrints, toMarks } from './marks.ts';
import { OlderCalls } from './older-calls.ts';
import { type Mark, REACH, type RoundInput, type RoundOutcome, type RuleInput } from './round.ts';
import { isPlain, recent, settle } from './settle.ts';
import { UNTOLD } from './tell.ts';
import type { Marked, Steps } from './want.ts';

/** A slice of work after which others on the thread get their turn. */
const SLICE_MS = 15;
/** A clock that is set back by more minutes was wrong before. */
const CLOCK_SLACK = 5;

/** The alerts of one project, judged round by round. It keeps sums and states between rounds. */
export class LiveProject {
  readonly #shapes = new Shapes();
  readonly #rules = new Map<string, LiveRule>();
  readonly #older = { calls: new OlderCalls(), runs: new OlderCalls(), scores: new OlderCalls() };
  #marks: readonly Mark[] = [];
  #judgedTo: number | null = null;
  #since = performance.now();

  /** Judges every minute up to that of the round, and again what late events changed. */
  *round(input: RoundInput): Steps<RoundOutcome> {
    this.#take(input);
    const { at } = input;
    if (this.#judgedTo !== null && at <= this.#judgedTo && this.#judgedTo - at <= CLOCK_SLACK)
      return unchanged(this.#judgedTo, this.#marks);
    const done = this.#startOf(at);
    yield* this.#refreshOlder(at);
    const late = yield* this.#lateMinutes(at, done);
    const former = this.#forget(late);
    const first = 1 + Math.min(done, ...late.calls, ...late.runs, ...late.scores);
    for (let minute = first; minute <= at; minute++)
      yield* this.#read([minute], minute > done ? null : former);
    const touched = this.#touchedBy(former);
    const revisions: Revisions = new Map();
    if (done >= first) this.#rewind(touched, done, revisions);
    const last = new Map<LiveRule, Judgement>();
    for (let minute = first; minute <= at; minute++) {
      const memo: Memo = new Map();
      for (const rule of this.#rules.values()) {
        if (performance.now() - this.#since > SLICE_MS) yield* this.#pause();
        if (minute < rule.input.since) continue;
        const only = minute > done ? undefined : groupsBefore(touched.get(rule.shape), minute);
        if (only?.size === 0) continue;
        const judgement = judgeMinute(rule, minute, memo, only);
        note(revisions, rule, judgement.found, minute);
        if (minute === at) last.set(rule, judgement);
      }
    }
    this.#judgedTo = at;
    const outcome = settle({ input, rules: this.#rules, revisions, last, marks: this.#marks });
    this.#tidy(at);
    return outcome;
  }

  /** Takes over what is stored, and the rules as they are now. */
  #take({ rules, stored }: RoundInput): void {
    if (stored !== null) {
      this.#rules.clear();
      this.#judgedTo = stored.judgedTo;
      this.#marks = stored.marks;
    }
    if (rules !== null) this.#takeRules(rules);
    for (const { alertId, group, trail, told, toldAt } of stored?.groups ?? []) {
      const rule = this.#rules.get(alertId);
      rule?.trails.set(group, [...trail]);
      rule?.told.set(group, { state: told, at: toldAt });
    }
  }

  #takeRules(rules: readonly RuleInput[]): void {
    const known = new Set(rules.map(({ id }) => id));
    for (const id of this.#rules.keys()) if (!known.has(id)) this.#rules.delete(id);
    for (const rule of rules) {
      const own = this.#rules.get(rule.id);
      if (own?.input.version === rule.version) continue;
      const isSame = own !== undefined && JSON.stringify(own.rule) === JSON.stringify(rule.rule);
      const made = toJudged(rule.id, rule.rule, this.#shapes);
      this.#rules.set(rule.id, {
        ...made,
        // A change of name or channels keeps the states.
        trails: isSame ? own.trails : made.trails,
        told: isSame ? own.told : new Map(),
        input: rule,
        figure: isSame ? own.figure : null,
        written: rule.stored,
      });
    }
  }

  /** The last minute that counts as judged. After a longer time away, or a clock that was wrong, it is not far back. */
  #startOf(at: number): number {
    const judgedTo = this.#judgedTo ?? at - 1;
    if (judgedTo <= at) return Math.max(judgedTo, at - REACH);
    for (const { trails } of this.#rules.values())
      for (const [group, trail] of trails)
        trails.set(
          group,
          trail.filter((step) => step.at < at),
        );
    return at - 1;
  }

  /** Minutes that were judged and whose calls, runs or scores are others now. */
  *#lateMinutes(at: number, done: number): Steps<Late> {
    // After missed rounds, calls that were in reach when they came are looked for further back.
    const from = Math.min(done, at) - REACH;
    const prints = yield* readPrints(from, at, { names: this.#scoreNames(), runs: this.#watchesRuns() });
    const late = lateMinutes(this.#marks, prints, { from, to: done });
    this.#marks = toMarks(prints, { from: at - REACH, to: at });
    return late;
  }

  /** Forgets sums of older calls, runs and scores that have changed, so that they are read again. */
  *#refreshOlder(at: number): Steps<void> {
    const names = this.#scoreNames();
    yield* this.#refreshOlderOf({ of: 'calls' }, at);
    if (names.length > 0) yield* this.#refreshOlderOf({ of: 'scores', names }, at);
    if (this.#watchesRuns()) yield* this.#refreshOlderOf({ of: 'runs' }, at);
  }

  *#refreshOlderOf(marked: Marked, at: number): Steps<void> {
    const { of } = marked;
    const own = [...this.#rules.values()].filter(({ shape }) => shape.shape.of === of);
    const starts = own.flatMap(({ rule }) => spansOf(rule, at).map(({ from }) => from));
    const from = starts.reduce((least, start) => Math.min(least, start), at);
    for (const span of yield* this.#older[of].changes(marked, at, from))
      for (const { shape, cells } of this.#shapes.all()) if (shape.of === of) cells.forgetSpan(span);
  }

  /** Names of the scores that rules watch. */
  #scoreNames(): string[] {
    const names = this.#shapes
      .all()
      .flatMap(({ shape }) => (shape.of === 'scores' ? [shape.scores.name] : []));
    return [...new Set(names)].sort();
  }

  #watchesRuns(): boolean {
    return this.#shapes.all().some(({ shape }) => shape.of === 'runs');
  }

  /** Forgets the cells with some minutes. */
  #forget(late: Late): Former {
    return new Map(
      this.#shapes
        .all()
        .map((shape) => [
          shape,
          new Map(late[shape.shape.of].map((minute) => [minute, shape.cells.forget(minute)])),
        ]),
    );
  }

  /** Reads the cells that are needed at some minutes, and the minutes that are compared with former ones. */
  *#read(minutes: readonly number[], former: Former | null): Steps<void> {
    // Rules with equal windows need equal spans.
    const known = new Map<ShapeCells, Map<string, Span>>();
    for (const { rule, shape } of this.#rules.values()) {
      const spans = known.get(shape) ?? new Map<string, Span>();
      known.set(shape, spans);
      for (const minute of minutes)
        for (const span of [...spansOf(rule, minute), { from: minute - 1, to: minute }])
          spans.set(`${span.from} ${span.to}`, span);
    }
    const wanted = new Map([...known].map(([shape, spans]) => [shape, [...spans.values()]]));
    for (const [shape, spans] of wanted)
      for (const minute of former?.get(shape)?.keys() ?? []) spans.push({ from: minute, to: minute + 1 });
    for (let isDone = false; !isDone; ) isDone = yield* this.#readPlanned(wanted);
  }

  /** Reads what is missing. Ends early if shapes have more groups than the reads were made for. */
  *#readPlanned(wanted: ReadonlyMap<ShapeCells, readonly Span[]>): Steps<boolean> {
    const countGroups = (): number =>
      [...wanted.keys()].reduce((sum, { cells }) => sum + cells.names.length, 0);
    const known = countGroups();
    for (const read of planReads(wanted)) {
      read.load(yield* ask(read.query));
      if (countGroups() > 2 * known) return false;
    }
    return true;
  }

  /** The groups of each shape that late events changed, and the first minute that they did. */
  #touchedBy(former: Former): Touched {
    const touched: Touched = new Map();
    for (const [shape, cells] of former) {
      const groups = new Map<string, number>();
      touched.set(shape, groups);
      for (const minute of [...cells.keys()].sort((a, b) => a - b)) {
        const before = cells.get(minute);
        const ids = before === undefined ? shape.cells.names.keys() : shape.cells.changed(minute, before);
        for (const id of ids) {
          const name = shape.cells.names[id] as string;
          if (!groups.has(name)) groups.set(name, minute);
        }
      }
    }
    return touched;
  }

  /** Takes back the states of groups after late events. */
  #rewind(touched: Touched, done: number, revisions: Revisions): void {
    for (const rule of this.#rules.values())
      for (const [group, minute] of touched.get(rule.shape) ?? []) {
        const trail = rule.trails.get(group) ?? [];
        const first = Math.max(minute + 1, rule.input.since);
        const former = trail.filter(({ at }) => at >= first && at <= done);
        if (former.length > 0)
          rule.trails.set(
            group,
            trail.filter(({ at }) => at < first),
          );
        revisionOf(revisions, rule, group, former);
      }
  }

  /** Drops what no later round needs. */
  #tidy(at: number): void {
    const spans = new Map<ShapeCells, Span[]>();
    for (const rule of this.#rules.values()) {
      spans.set(rule.shape, [...(spans.get(rule.shape) ?? []), ...spansOf(rule.rule, at)]);
      for (const [group, trail] of rule.trails) {
        const kept = recent(trail, at);
        const told = rule.told.get(group) ?? UNTOLD;
        if (isPlain(kept, told.state)) {
          rule.trails.delete(group);
          rule.told.delete(group);
        } else rule.trails.set(group, kept);
      }
    }
    for (const shape of this.#shapes.all()) {
      const own = spans.get(shape);
      if (own === undefined) this.#shapes.drop(shape.key);
      else if (at % 10 === 0) shape.cells.keepOnly(own, at - REACH - 1);
    }
  }

  *#pause(): Steps<void> {
    yield { kind: 'pause' };
    this.#since = performance.now();
  }
}

const unchanged = (at: number, marks: readonly Mark[]): RoundOutcome => ({
  ...{ at, marks, changes: [], summaries: [], groups: [] },
  figures: '{}',
});

type Former = ReadonlyMap<ShapeCells, ReadonlyMap<number, Cell | undefined>>;
type Touched = Map<ShapeCells, Map<string, number>>;

function* ask(query: ShapeQuery): Steps<readonly SeriesPart[]> {
  const given = yield { kind: 'read', query };
  return given.kind === 'series' ? (JSON.parse(given.text) as SeriesPart[]) : [];
}

const groupsBefore = (groups: ReadonlyMap<string, number> | undefined, minute: number): Set<string> =>
  new Set([...(groups ?? [])].flatMap(([name, first]) => (first < minute ? [name] : [])));

function revisionOf(revisions: Revisions, rule: LiveRule, group: string, former: readonly Step[]): Revision {
  const own = revisions.get(rule) ?? new Map<string, Revision>();
  revisions.set(rule, own);
  const known = own.get(group) ?? { former, found: [] };
  own.set(group, known);
  return known;
}

/** Notes the groups whose state a minute changed. */
function note(revisions: Revisions, rule: LiveRule, found: readonly Found[], at: number): void {
  for (const one of found)
    if (one.state !== one.was.state) revisionOf(revisions, rule, one.group, []).found.push({ ...one, at });
}
