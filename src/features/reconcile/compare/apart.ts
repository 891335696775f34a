import type { Reconciliation } from '../contract.ts';
import { PART_KINDS } from '../contract.ts';
import type { ApartRow, InvoiceRow } from '../formats/format.ts';

type Apart = Reconciliation['apart'][number];
type Part = Reconciliation['parts'][number];

const MAX_APART = 100;
const MAX_PARTS = 50;
const MAX_TEXT = 200;

/** Amounts that are not compared, added up by kind, label and currency, largest first. */
export function sumApart(rows: readonly ApartRow[]): Apart[] {
  const sums = new Map<string, Apart>();
  for (const { apart: kind, label: text, currency, amount } of rows) {
    const label = text.slice(0, MAX_TEXT);
    const key = `${kind} ${currency} ${label}`;
    const known = sums.get(key) ?? { kind, label, currency: currency.slice(0, 10), amount: 0, rows: 0 };
    sums.set(key, { ...known, amount: known.amount + amount, rows: known.rows + 1 });
  }
  const sorted = [...sums.values()].sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
  return sorted.slice(0, MAX_APART);
}

/** The compared lines by account, key and type, largest first; nothing for a label that no line has. */
export function sumParts(rows: readonly InvoiceRow[]): Part[] {
  return PART_KINDS.flatMap((by) => {
    const sums = new Map<string, Part>();
    for (const row of rows) {
      if (row[by] === '') continue;
      const name = row[by].slice(0, MAX_TEXT);
      const known = sums.get(name) ?? { by, name, usd: 0, rows: 0 };
      const usd = known.usd === null || row.usd === null ? null : known.usd + row.usd;
      sums.set(name, { ...known, usd, rows: known.rows + 1 });
    }
    const sorted = [...sums.values()].sort(
      (a, b) => Math.abs(b.usd ?? 0) - Math.abs(a.usd ?? 0) || b.rows - a.rows,
    );
    return sorted.slice(0, MAX_PARTS);
  });
}
