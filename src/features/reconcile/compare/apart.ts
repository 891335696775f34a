import { badRequest } from '../../../errors.ts';
import { PART_KINDS, type Reconciliation } from '../contract.ts';
import type { ApartRow, InvoiceRow } from '../formats/format.ts';

export type ApartSum = Reconciliation['apart'][number];
export type PartSum = Reconciliation['parts'][number];

const MAX_APART = 100;
const MAX_PARTS = 50;
const MAX_TEXT = 200;
/** Names of a kind that are added up. Exports have tens of them, seldom hundreds. */
const MAX_NAMES = 20_000;

/** Amounts that are not compared, added up by kind, label and currency as they are read. */
export function createApartSums() {
  const found = new Map<string, ApartSum>();
  function addSum({ kind, label: text, currency, amount, rows }: ApartSum): void {
    const label = text.slice(0, MAX_TEXT);
    const key = `${kind} ${currency} ${label}`;
    const known = found.get(key) ?? { kind, label, currency: currency.slice(0, 10), amount: 0, rows: 0 };
    found.set(key, { ...known, amount: known.amount + amount, rows: known.rows + rows });
    if (found.size > MAX_NAMES)
      throw badRequest(
        `the export has more than ${MAX_NAMES} kinds of credits, taxes and other amounts; export a shorter time range`,
      );
  }
  return {
    addSum,
    add: ({ apart, label, currency, amount }: ApartRow): void =>
      addSum({ kind: apart, label, currency, amount, rows: 1 }),
    /** The largest amounts first. */
    sums: (): ApartSum[] =>
      [...found.values()].sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount)).slice(0, MAX_APART),
  };
}

/** The compared lines by account, key and type, added up as they are read; nothing for a label that no line has. */
export function createPartSums() {
  const found = PART_KINDS.map((by) => ({ by, sums: new Map<string, PartSum>() }));
  return {
    add(row: InvoiceRow): void {
      for (const { by, sums } of found) {
        if (row[by] === '') continue;
        const name = row[by].slice(0, MAX_TEXT);
        const known = sums.get(name) ?? { by, name, usd: 0, rows: 0 };
        const usd = known.usd === null || row.usd === null ? null : known.usd + row.usd;
        sums.set(name, { ...known, usd, rows: known.rows + 1 });
        if (sums.size > MAX_NAMES)
          throw badRequest(
            `the export names more than ${MAX_NAMES} ${NAMES[by]}; export a shorter time range, or compare one account or key at a time`,
          );
      }
    },
    /** The largest of each kind first. */
    sums: (): PartSum[] =>
      found.flatMap(({ sums }) =>
        [...sums.values()]
          .sort((a, b) => Math.abs(b.usd ?? 0) - Math.abs(a.usd ?? 0) || b.rows - a.rows)
          .slice(0, MAX_PARTS),
      ),
  };
}

const NAMES = { account: 'accounts', key: 'API keys', type: 'types of usage' } as const;
