import type { SeriesPart } from '../../../core/events/index.ts';
import type { AlertState, Priced } from '../contract.ts';
import { outcomeOf } from '../evaluate/tell.ts';
import type { Found } from '../judge/evaluator.ts';
import { NO_COST, pricedPlaces, type Reading } from '../judge/reading.ts';
import type { Rule } from '../table.ts';

/** A time in which a group was not ok; minutes since 1970. `to` is null for until the end. */
type DrawnSpan = Priced & {
  readonly group: string;
  readonly state: AlertState;
  readonly from: number;
  readonly to: number | null;
  readonly value: number | null;
};

/** What a preview shows. */
export type Drawn = Priced & {
  readonly step: number;
  readonly groups: number;
  readonly firings: number;
  readonly notifications: number;
  readonly series: readonly {
    readonly group: string;
    readonly points: readonly (number | null)[];
    readonly baseline: readonly (number | null)[] | null;
    readonly unpriced: readonly (number | null)[] | null;
  }[];
  readonly spans: readonly DrawnSpan[];
  readonly omittedSpans: number;
};

const MAX_POINTS = 720;
const MAX_SERIES = 10;
const MAX_SPANS = 2_000;

type Line = {
  readonly group: string;
  readonly points: (number | null)[];
  readonly baseline: (number | null)[];
  readonly unpriced: (number | null)[];
  /** Minutes with a value, as the measure of a group's size. */
  size: number;
  firings: number;
  told: AlertState;
  /** Its state and since when; null while it is ok. */
  open: Omit<DrawnSpan, 'group' | 'to'> | null;
};

/** Collects what the minutes of a preview say. */
export class PreviewDrawing {
  readonly #rule: Rule;
  readonly #from: number;
  readonly #step: number;
  readonly #points: number;
  readonly #lines = new Map<string, Line>();
  readonly #spans: DrawnSpan[] = [];
  #notifications = 0;
  #omitted = 0;
  readonly #places: ReturnType<typeof pricedPlaces>;
  readonly #priced = { unpriced: 0, calls: 0 };

  constructor(rule: Rule, from: number, to: number) {
    this.#rule = rule;
    this.#places = pricedPlaces(rule.measure);
    this.#from = from;
    this.#step = Math.max(1, Math.ceil((to - from + 1) / MAX_POINTS));
    this.#points = Math.ceil((to - from + 1) / this.#step);
  }

  add(minute: number, found: readonly Found[]): void {
    const place = Math.floor((minute - this.#from) / this.#step);
    for (const { group, was, state, reading } of found) {
      const line = this.#lineOf(group);
      const { value, baseline, unpriced } = reading;
      if (unpriced !== null) line.unpriced[place] = Math.max(unpriced, line.unpriced[place] ?? 0);
      if (value !== null) {
        line.size++;
        if (this.#isFurther(value, line.points[place] ?? null)) {
          line.points[place] = value;
          line.baseline[place] = baseline;
        }
      }
      if (state !== was.state) this.#change(line, state, minute, reading);
    }
  }

  /** Counts the calls or runs that a read found in the time. @param width number of their sums */
  count({ cells }: SeriesPart, width: number): void {
    if (this.#places === null) return;
    for (let cell = 0; cell < cells.length; cell += width + 2) {
      if ((cells[cell] as number) < this.#from) continue;
      this.#priced.unpriced += cells[cell + 2 + this.#places.unpriced] as number;
      this.#priced.calls += cells[cell + 2 + this.#places.calls] as number;
    }
  }

  #lineOf(group: string): Line {
    const known = this.#lines.get(group);
    if (known !== undefined) return known;
    const line: Line = {
      ...{ group, points: [], baseline: [], unpriced: [] },
      ...{ size: 0, firings: 0, told: 'ok', open: null },
    };
    this.#lines.set(group, line);
    return line;
  }

  /** Whether a value is nearer to firing than the one before it in the same step. */
  #isFurther(value: number, than: number | null): boolean {
    if (than === null) return true;
    const { condition } = this.#rule;
    if (condition.kind === 'threshold')
      return condition.operator.startsWith('g') ? value >= than : value <= than;
    if (condition.kind === 'change' && condition.direction !== 'either')
      return condition.direction === 'up' ? value >= than : value <= than;
    return true;
  }

  #change(line: Line, state: AlertState, minute: number, { value, unpriced, calls }: Reading): void {
    this.#close(line, minute);
    line.open = state === 'ok' ? null : { state, from: minute, value, unpriced, calls };
    const outcome = outcomeOf(line.told, state);
    if (outcome === null) return;
    if (outcome === 'fired') line.firings++;
    if (outcome !== 'eased') this.#notifications++;
    line.told = state === 'pending' ? 'ok' : state;
  }

  #close({ group, open }: Line, to: number | null): void {
    if (open === null) return;
    if (this.#spans.length < MAX_SPANS) this.#spans.push({ group, ...open, to });
    else this.#omitted++;
  }

  #filled(values: readonly (number | null)[]): (number | null)[] {
    return Array.from({ length: this.#points }, (_, place) => values[place] ?? null);
  }

  finish(): Drawn {
    const lines = [...this.#lines.values()];
    for (const line of lines) this.#close(line, null);
    const shown = lines
      .toSorted((a, b) => b.firings - a.firings || b.size - a.size || a.group.localeCompare(b.group))
      .slice(0, MAX_SERIES);
    const hasBaseline = this.#rule.condition.kind !== 'threshold';
    return {
      step: this.#step,
      groups: lines.length,
      firings: lines.reduce((sum, { firings }) => sum + firings, 0),
      notifications: this.#notifications,
      ...(this.#places === null ? NO_COST : this.#priced),
      series: shown.map(({ group, points, baseline, unpriced }) => ({
        group,
        points: this.#filled(points),
        baseline: hasBaseline ? this.#filled(baseline) : null,
        unpriced: this.#places === null ? null : this.#filled(unpriced),
      })),
      spans: this.#spans.toSorted((a, b) => a.from - b.from || a.group.localeCompare(b.group)),
      omittedSpans: this.#omitted,
    };
  }
}
