import { inputTokens } from '../../../core/pricing/index.ts';
import type { DriftReason } from '../contract.ts';
import type { InvoiceFigures } from '../formats/format.ts';

/** One side's figures of a line. Null: it does not state them. */
export type Side = InvoiceFigures & {
  /** By how many USD rounding may have changed the amount. */
  readonly slack: number;
};
export type Books = Side & { readonly unpriced: number; readonly calls: number };

/** What the invoice's tokens cost by the prices of some days: USD, and the day whose price that was. */
export type PriceTry = { readonly day: string; readonly usd: number };

export type Reason = { readonly code: DriftReason; readonly text: string };

/** Counts that are this near are the same: providers round and cut days in their own way. */
const TOKENS_WITHIN = 0.002;
const USD_WITHIN = 0.005;
const CENT = 0.01;

type Maybe = number | null;

const near = (a: Maybe, b: Maybe): boolean =>
  a === null ||
  b === null ||
  Math.abs(a - b) <= Math.max(1, TOKENS_WITHIN * Math.max(Math.abs(a), Math.abs(b)));

const nearUsd = (a: number, b: number, slack = 0): boolean =>
  Math.abs(a - b) <= Math.max(CENT / 2, USD_WITHIN * Math.max(Math.abs(a), Math.abs(b)), slack);

/** Input tokens of a side; null if it does not state them. */
export const inputOf = ({ fresh, cacheRead, cacheWrite }: Side): Maybe =>
  fresh === null
    ? null
    : inputTokens({ fresh, cacheRead: cacheRead ?? 0, cacheWrite5m: cacheWrite ?? 0, cacheWrite1h: 0 });

const cachedOf = ({ cacheRead, cacheWrite }: Side): number => (cacheRead ?? 0) + (cacheWrite ?? 0);

/** Some exports state the input without saying what of it was cached. */
const statesCached = ({ cacheRead, cacheWrite }: Side): boolean => cacheRead !== null || cacheWrite !== null;

const many = (n: number): string => Math.round(n).toLocaleString('en-US');

/** Whether two sides disagree about anything that both state. */
export function differs(invoice: Side | null, books: Books | null): boolean {
  if (invoice === null) return books !== null && books.calls > 0;
  if (books === null)
    return [invoice.calls, inputOf(invoice), invoice.output, invoice.usd].some((value) => (value ?? 0) > 0);
  const sameCalls = invoice.calls === null || invoice.calls === books.calls;
  const sameUsd =
    invoice.usd === null || books.usd === null || nearUsd(invoice.usd, books.usd, invoice.slack);
  return (
    !sameCalls || !sameUsd || !sameTokens(invoice, books) || (books.unpriced > 0 && invoice.usd === null)
  );
}

const sameTokens = (invoice: Side, books: Side): boolean =>
  near(inputOf(invoice), inputOf(books)) &&
  near(invoice.output, books.output) &&
  (!statesCached(invoice) || near(cachedOf(invoice), cachedOf(books)));

/**
 * Why a line of an invoice and the ledger differ, as far as the figures show it; none if they agree or do not tell.
 * Calls show what is missing or too many, without calls all tokens do; with equal calls the tokens show how they are
 * counted; with equal tokens the money shows the price. Money alone explains nothing but a discount that the export
 * states.
 */
export function reasonsOf(invoice: Side | null, books: Books | null, tries: readonly PriceTry[]): Reason[] {
  if (!differs(invoice, books)) return [];
  if (invoice === null)
    return [
      {
        code: 'not_on_invoice',
        text: `${many(books?.calls ?? 0)} calls are in the ledger, none on the invoice`,
      },
    ];
  if (books === null) return [{ code: 'missing_events', text: missingText(invoice) }];
  const reasons: Reason[] = [];
  const count = invoice.calls === null ? countByTokens(invoice, books) : countReason(invoice, books);
  if (count !== null) reasons.push(count);
  if (books.unpriced > 0 && (invoice.usd === null || invoice.usd > (books.usd ?? 0)))
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
    ? 'the ledger has no events of this model'
    : `${many(calls)} calls were billed, the ledger has none of them`;

/** Pairs of counts that both sides state and that are not both zero: billed and known. */
const tokenPairs = (invoice: Side, books: Side): [number, number][] =>
  [
    [inputOf(invoice), inputOf(books)],
    [invoice.output, books.output],
  ].flatMap(([billed, known]): [number, number][] =>
    billed === null || known === null || billed === undefined || known === undefined || billed + known === 0
      ? []
      : [[billed, known]],
  );

/** How many times as much is known as billed, if it is a whole number from 2 on for every pair. */
function wholeTimes(pairs: readonly (readonly [number, number])[]): number | null {
  const [first] = pairs;
  if (first === undefined || first[0] === 0) return null;
  const times = Math.round(first[1] / first[0]);
  return times >= 2 && pairs.every(([billed, known]) => near(billed * times, known)) ? times : null;
}

function countReason(invoice: Side, books: Books): Reason | null {
  const billed = invoice.calls ?? 0;
  const known = books.calls;
  if (billed === known) return null;
  if (known < billed)
    return {
      code: 'missing_events',
      text: `${many(billed - known)} of ${many(billed)} calls billed are not in the ledger`,
    };
  // More calls, but fewer tokens of each kind: what was billed is not all there, whatever else is.
  const pairs = tokenPairs(invoice, books);
  if (pairs.length > 0 && pairs.every(([a, b]) => b < a && !near(a, b))) return countByTokens(invoice, books);
  const times =
    billed * Math.round(known / billed) === known ? wholeTimes([[billed, known], ...pairs]) : null;
  if (times !== null) return { code: 'duplicates', text: `every call is in the ledger ${times} times` };
  return { code: 'more_events', text: `${many(known - billed)} calls more in the ledger than billed` };
}

/** An invoice without calls: only if input and output point the same way, events are missing or too many. */
function countByTokens(invoice: Side, books: Books): Reason | null {
  const pairs = tokenPairs(invoice, books);
  if (pairs.length === 0 || pairs.some(([billed, known]) => near(billed, known))) return null;
  const [billed, known] = pairs.reduce(([a, b], [c, d]) => [a + c, b + d]);
  if (pairs.every(([a, b]) => b < a)) {
    const share = ((1 - known / billed) * 100).toFixed(1);
    return { code: 'missing_events', text: `${share} % of the tokens billed are not in the ledger` };
  }
  if (!pairs.every(([a, b]) => b > a)) return null;
  const times = wholeTimes(pairs);
  if (times !== null) return { code: 'duplicates', text: `all tokens are in the ledger ${times} times` };
  return { code: 'more_events', text: `${many(known - billed)} tokens more in the ledger than billed` };
}

function layoutReason(invoice: Side, books: Books): Reason | null {
  const [billed, known] = [inputOf(invoice), inputOf(books)];
  const same = invoice.calls === null ? '' : 'equal calls, ';
  if (!near(invoice.output, books.output))
    return { code: 'tokens', text: `${same}different output tokens: check what the sender counts` };
  if (billed === null || known === null) return null;
  const [cached, own] = [cachedOf(invoice), cachedOf(books)];
  if (near(billed, known) && (near(cached, own) || !statesCached(invoice))) return null;
  if ((cached === 0 && own === 0) || !statesCached(invoice))
    return { code: 'tokens', text: `${same}different input tokens: check what the sender counts` };
  return {
    code: 'cache_layout',
    text: `${many(cached)} cached tokens billed, ${many(own)} in the ledger: ${layoutText(own, billed, known)}`,
  };
}

function layoutText(own: number, billed: number, known: number): string {
  if (own === 0) return 'the sender does not report cached tokens';
  if (near(billed, known)) return 'cache reads are counted differently';
  return known < billed
    ? 'the input excludes cached tokens but was read as including them'
    : 'the input includes cached tokens but was read as excluding them';
}

function moneyReasons(invoice: Side, books: Books, tries: readonly PriceTry[]): Reason[] {
  const { usd: billed, listUsd, slack } = invoice;
  if (billed === null || books.usd === null || nearUsd(billed, books.usd, slack)) return [];
  const percent = books.usd === 0 ? '' : ` (${((billed / books.usd - 1) * 100).toFixed(1)} %)`;
  if (listUsd !== null && listUsd > billed && nearUsd(listUsd, books.usd, slack))
    return [
      {
        code: 'discount',
        text: `billed below the provider’s list price, which the ledger has${percent}: set the agreed price`,
      },
    ];
  // Without tokens the money may differ for any reason.
  if (inputOf(invoice) === null || invoice.output === null) return [];
  const found = tries.find(({ usd }) => nearUsd(usd, billed));
  if (found !== undefined)
    return [
      {
        code: 'price_date',
        text: `billed at the price of ${found.day}, stored at another${percent}: re-price`,
      },
    ];
  return [{ code: 'rates', text: `equal tokens at different rates${percent}: set the agreed price` }];
}
