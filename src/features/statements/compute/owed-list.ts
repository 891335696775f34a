import type { MonthCorrections } from '../close/corrections.ts';
import { type LedgerTable, type Party, type PartySums, partyKey } from '../ledger/ledger-table.ts';
import type { Owed, OwedSums } from './to-statement.ts';

/**
 * What each party owes, the highest cost first; calls without a party last. The rows of a party are made when they are
 * asked for, because those of ten thousand take more memory than the rest of a month.
 */
export type OwedList = {
  readonly length: number;
  slice(from: number, to: number): Owed[];
  /** The sums of the same, without their rows. */
  sums(from: number, to: number): (OwedSums & { readonly correctionsNano: number })[];
  /** Null if the party has no calls and no corrections. */
  find(party: Party): Owed | null;
};

/** The number of a party in the table of the month, if it has calls, and in those of corrected months. */
type Entry = {
  readonly party: Party;
  own: number | null;
  readonly corrected: { readonly of: MonthCorrections; readonly number: number }[];
  calls: number;
  costNano: number;
  correctionsNano: number;
};

const NO_CALLS: PartySums = { calls: 0, unpriced: 0, nano: 0, lines: 0, hasCalls: false };

export function listOwed(table: LedgerTable, corrections: readonly MonthCorrections[]): OwedList {
  const entries: Entry[] = [];
  const byKey = new Map<string, Entry>();
  const make = (party: Party): Entry => {
    const made = { party, own: null, corrected: [], calls: 0, costNano: 0, correctionsNano: 0 };
    entries.push(made);
    if (corrections.length > 0) byKey.set(partyKey(party), made);
    return made;
  };
  for (const [own, party] of table.parties.entries()) {
    const sums = table.sumsOf(own);
    if (sums !== null) Object.assign(make(party), { own, calls: sums.calls, costNano: sums.nano });
  }
  for (const of of corrections)
    for (const number of of.parties) {
      const party = of.table.parties[number] as Party;
      const entry = byKey.get(partyKey(party)) ?? make(party);
      entry.corrected.push({ of, number });
      entry.correctionsNano += of.table.sumsOf(number)?.nano ?? 0;
    }
  entries.sort(
    (a, b) =>
      Number(a.party.name === null) - Number(b.party.name === null) ||
      b.costNano - a.costNano ||
      b.correctionsNano - a.correctionsNano ||
      b.calls - a.calls ||
      (partyKey(a.party) < partyKey(b.party) ? -1 : 1),
  );
  const toOwed = ({ party, own, corrected }: Entry): Owed => ({
    party,
    rows: own === null ? [] : table.rowsOf(own),
    corrections: corrected.map(({ of: { month, settings, table: changed }, number }) => ({
      month,
      settings,
      accounts: changed.accounts,
      rows: changed.rowsOf(number),
    })),
  });
  const toSums = ({ party, own, corrected, correctionsNano }: Entry) => ({
    party,
    own: (own === null ? null : table.sumsOf(own)) ?? NO_CALLS,
    corrections: corrected.map(({ of: { settings, table: changed }, number }) => ({
      settings,
      lines: changed.sumsOf(number)?.lines ?? 0,
    })),
    correctionsNano,
  });
  return {
    length: entries.length,
    slice: (from, to) => entries.slice(from, to).map(toOwed),
    sums: (from, to) => entries.slice(from, to).map(toSums),
    find({ projectId, name }) {
      const found = entries.find(({ party }) => party.projectId === projectId && party.name === name);
      return found === undefined ? null : toOwed(found);
    },
  };
}
