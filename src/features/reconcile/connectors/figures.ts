import { DAY_MS, parseInstant } from '../../../lib/time.ts';
import type { ApartKind } from '../contract.ts';
import { ConnectorError, type GetJson } from './get-json.ts';

/** What a provider bills for a day and a model, or for something that is no model. */
export type Figure = {
  /** Days since the epoch, UTC. */
  readonly day: number;
  readonly kind: 'model' | ApartKind;
  /** The model as the provider names it, or what else is billed. */
  readonly label: string;
  /** Upper-case ISO 4217. */
  readonly currency: string;
  /** Billionths of the currency. */
  readonly amountNano: number;
  readonly calls: number | null;
  readonly fresh: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly output: number | null;
};

/** Whole days: the first, and the one after the last, in days since the epoch. */
export type Days = { readonly from: number; readonly to: number };

/** How a provider's figures are read. */
export type ProviderSource = {
  readonly origin: string;
  /** What a key has to be. */
  readonly keyKind: string;
  /** Days that it reports at most. */
  readonly most: number;
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  /** @param accounts workspaces or projects of the provider; empty for all */
  readonly read: (get: GetJson, days: Days, accounts: ReadonlySet<string>) => Promise<Figure[]>;
};

type Counts = Pick<Figure, 'calls' | 'fresh' | 'cacheRead' | 'cacheWrite' | 'output'>;

/** Counts that nothing states. */
export const NO_COUNTS: Counts = {
  calls: null,
  fresh: null,
  cacheRead: null,
  cacheWrite: null,
  output: null,
};

/** The day of an instant. @throws ConnectorError */
export function dayOf(instant: string | number, path: string): number {
  const ms = typeof instant === 'number' ? instant * 1_000 : parseInstant(instant);
  if (ms === null) throw new ConnectorError(`the reply to ${path} has a time that is none`);
  return Math.floor(ms / DAY_MS);
}

/** Adds up figures of the same day and label. A count that only one of them states stays: the other is of the costs. */
export function addUpFigures(figures: readonly Figure[]): Figure[] {
  const sums = new Map<string, Figure>();
  for (const figure of figures) {
    const key = `${figure.day} ${figure.kind} ${figure.currency} ${figure.label}`;
    const known = sums.get(key);
    sums.set(key, known === undefined ? figure : addFigures(known, figure));
  }
  return [...sums.values()];
}

const either = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : a + b;

const addFigures = (a: Figure, b: Figure): Figure => ({
  ...a,
  amountNano: a.amountNano + b.amountNano,
  calls: either(a.calls, b.calls),
  fresh: either(a.fresh, b.fresh),
  cacheRead: either(a.cacheRead, b.cacheRead),
  cacheWrite: either(a.cacheWrite, b.cacheWrite),
  output: either(a.output, b.output),
});
