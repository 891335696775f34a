import { inputTokens } from '../../core/pricing/index.ts';
import type { DriftReason } from './contract.ts';

/** One side's figures of a day and a model. Null: it does not state them. */
export type Side = {
  readonly calls: number | null;
  readonly fresh: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly output: number | null;
  readonly usd: number | null;
};
export type Books = Side & { readonly unpriced: number; readonly calls: number };

/** What the invoice's tokens cost by the prices of some days: USD, and the day whose price that was. */
export type PriceTry = { readonly day: string; readonly usd: number };

export type Reason = { readonly code: DriftReason; readonly text: string };

/** Counts that are this near are the same: providers round and cut days in their own way. */
const TOKENS_WITHIN = 0.002;
const USD_WITHIN = 0.005;
const CENT = 0.01;

const near = (a: number | null, b: number | null, within = TOKENS_WITHIN): boolean =>
  a === null || b === null || Math.abs(a - b) <= Math.max(1, within * Math.max(Math.abs(a), Math.abs(b)));

const nearUsd = (a: number, b: number): boolean =>
  Math.abs(a - b) <= Math.max(CENT / 2, USD_WITHIN * Math.max(Math.abs(a), Math.abs(b)));

/** Input tokens of a side; null if it does not state them. */
export const inputOf = ({ fresh, cacheRead, cacheWrite }: Side): number | null =>
  fresh === null
    ? null
    : inputTokens({ fresh, cacheRead: cacheRead ?? 0, cacheWrite5m: cacheWrite ?? 0, cacheWrite1h: 0 });

const many = (n: number): string => Math.round(n).toLocaleString('en-US');

/**
 * The likely reasons why a line of an invoice and the books differ; none where they agree. Calls tell what is
 * missing or twice, else the output does; with both alike the input tells of cached tokens that were read
 * another way; with all tokens alike the money tells of the price.
 */
export function reasonsOf(invoice: Side | null, books: Books | null, tries: readonly PriceTry[]): Reason[] {
  if (invoice === null)
    return books === null || books.calls === 0
      ? []
      : [
          {
            code: 'not_on_invoice',
            text: `${many(books.calls)} calls are in the ledger, none on the invoice`,
          },
        ];
  if (books === null) return [{ code: 'missing_events', text: missingText(invoice) }];
  const reasons: Reason[] = [];
  const count = countReason(invoice, books);
  if (count !== null) reasons.push(count);
  if (books.unpriced > 0 && (invoice.usd === null || invoice.usd > 0))
    reasons.push({
      code: 'unpriced_model',
      text: `${many(books.unpriced)} of ${many(books.calls)} calls have no price: set one and re-price`,
    });
  if (count === null) {
    const layout = layoutReason(invoice, books);
    if (layout !== null) reasons.push(layout);
  }
  if (reasons.length === 0) reasons.push(...moneyReasons(invoice, books, tries));
  return reasons;
}

const missingText = ({ calls }: Side): string =>
  calls === null
    ? 'the ledger has no such events'
    : `${many(calls)} calls were billed, the ledger has none of them`;

function countReason(invoice: Side, books: Books): Reason | null {
  const by = invoice.calls === null ? 'output' : 'calls';
  const [billed, known] = by === 'calls' ? [invoice.calls, books.calls] : [invoice.output, books.output];
  if (billed === null || known === null || (by === 'calls' ? billed === known : near(billed, known)))
    return null;
  const what = by === 'calls' ? 'calls' : 'output tokens';
  if (known < billed)
    return {
      code: 'missing_events',
      text: `${many(billed - known)} of ${many(billed)} ${what} billed are not in the ledger`,
    };
  return {
    code: 'duplicates',
    text: `${many(known - billed)} ${what} more than billed: events may be duplicated`,
  };
}

function layoutReason(invoice: Side, books: Books): Reason | null {
  const [billed, known] = [inputOf(invoice), inputOf(books)];
  if (billed === null || known === null || !near(invoice.output, books.output)) {
    if (near(invoice.output, books.output)) return null;
    return { code: 'tokens', text: 'equal calls, different output tokens: check what the sender counts' };
  }
  const cached = (invoice.cacheRead ?? 0) + (invoice.cacheWrite ?? 0);
  const own = (books.cacheRead ?? 0) + (books.cacheWrite ?? 0);
  if (near(billed, known) && near(cached, own)) return null;
  if (cached === 0 && own === 0)
    return { code: 'tokens', text: 'equal calls, different input tokens: check what the sender counts' };
  const how =
    own === 0
      ? 'the sender does not report cached tokens'
      : known < billed
        ? 'the input excludes cached tokens but was read as including them'
        : known > billed
          ? 'the input includes cached tokens but was read as excluding them'
          : 'cache reads are counted differently';
  return {
    code: 'cache_layout',
    text: `${many(cached)} cached tokens billed, ${many(own)} in the ledger: ${how}`,
  };
}

function moneyReasons(invoice: Side, books: Books, tries: readonly PriceTry[]): Reason[] {
  if (invoice.usd === null || books.usd === null || nearUsd(invoice.usd, books.usd)) return [];
  const billed = invoice.usd;
  const found = tries.find(({ usd }) => nearUsd(usd, billed));
  const percent = books.usd === 0 ? '' : ` (${((billed / books.usd - 1) * 100).toFixed(1)} %)`;
  if (found !== undefined)
    return [
      {
        code: 'price_date',
        text: `billed at the price of ${found.day}, stored at another${percent}: re-price`,
      },
    ];
  return [{ code: 'rates', text: `equal tokens at different rates${percent}: set the agreed price` }];
}
