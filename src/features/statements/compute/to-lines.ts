import { BILLED_BUCKETS } from '../../../core/pricing/contract.ts';
import { readyPrice } from '../../../core/pricing/index.ts';
import { NO_MODEL } from '../../../lib/no-model.ts';
import type { StatementLine } from '../contract.ts';
import type { Account, Row } from '../ledger/ledger-table.ts';
import { BUCKET_NAMES } from './bucket-names.ts';

/** A line without its amount in the currency. */
export type BareLine = Omit<StatementLine, 'amount'>;

type Of = {
  readonly type: 'usage' | 'correction';
  readonly month: string;
  readonly accounts: readonly Account[];
};

/** The lines of a party's rows of one month, the most expensive account first: one for each bucket at its rate. */
export function toLines(rows: readonly Row[], of: Of): BareLine[] {
  const inOrder = rows.toSorted(
    (a, b) => Math.abs(b.nano) - Math.abs(a.nano) || b.calls - a.calls || a.account - b.account,
  );
  return inOrder.flatMap((row) => linesOf(row, of));
}

function linesOf(row: Row, { type, month, accounts }: Of): BareLine[] {
  const account = accounts[row.account];
  if (account === undefined) throw new Error(`there is no account ${row.account}`);
  const { projectId, provider, model, kind, price } = account;
  const bare = { type, month, projectId, provider, model, kind, calls: row.calls };
  const text = (what: string | null): string =>
    `${type === 'correction' ? `Correction of ${month}: ` : ''}${model ?? NO_MODEL}${what === null ? '' : `, ${what}`}`;
  if (price === null || row.buckets.length === 0)
    return [
      {
        ...bare,
        text: text(WORDS[kind]),
        bucket: null,
        price: null,
        usdPerMillion: null,
        quantity: row.tokens,
        amountNano: kind === 'unpriced' ? null : row.nano,
      },
    ];
  const { rates } = readyPrice(price);
  const { source, reference, context_above: contextAbove, service_tier: serviceTier, factor } = price;
  return row.buckets.map(([place, tokens, nano]) => {
    const bucket = BILLED_BUCKETS[place] ?? 'fresh';
    return {
      ...bare,
      text: text(BUCKET_NAMES[bucket]),
      bucket,
      price: { source, reference, contextAbove, serviceTier, factor },
      usdPerMillion: rates[bucket]?.usdPerMillion ?? null,
      quantity: tokens,
      amountNano: nano,
    };
  });
}

const WORDS: Readonly<Record<Account['kind'], string | null>> = {
  priced: null,
  estimated: null,
  client: 'cost stated by the sender',
  unexplained: 'priced before prices were kept',
  summed: 'calls of which only sums are left',
  unpriced: 'without a price',
};
