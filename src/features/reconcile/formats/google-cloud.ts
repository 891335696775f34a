import { type ApartRow, type ExportFormat, NO_FIGURES } from './format.ts';
import { bucketOf, tokensOf } from './token-type.ts';

/** Services whose SKUs are models. */
const SERVICE = /gemini|vertex ai|generative language|agent platform|claude|anthropic/i;
/** What an SKU says beside the model: direction, modality, tier, place. */
const WORDS =
  /\b(?:generate ?content|predictions?|inputs?|outputs?|tokens?|counts?|cached|caching|cache|reads?|writes?|text|image|audio|video|thinking|on|off|ga|short|long|context|batch|flex|priority|standard|regional|global|for|of|in|to|by|and)\b|[()]|\s-\s/gi;
/** SKUs whose unit is no token. */
const OTHER_UNIT = /image|video|audio|character|grounding|storage|second|minute|hour|query|request|search/i;

/**
 * Google Cloud Billing: the cost table of the console (with the lines of the invoice above its headings), or the
 * BigQuery export as CSV (`service.description` or `service_description`). A month's cost table has no days.
 */
export const googleBilling: ExportFormat = {
  layout: 'google-billing',
  known: [['service_description'], ['sku_description']],
  provider: 'google',
  names: 'display',
  reader(columns) {
    const first = columns.day('usage_start_date', 'usage_start_time', 'month', 'invoice_month');
    const last = columns.day('usage_end_date', 'usage_end_time');
    const wholeDays = columns.has('usage_end_date');
    const service = columns.text('service_description');
    const sku = columns.text('sku_description');
    const account = columns.text('project_name', 'project_id');
    const kindOf = columns.text('cost_type');
    const creditOf = columns.text('credit_type');
    const credits = columns.text('credits');
    const costHeading = ['unrounded_cost', 'cost', 'unrounded_subtotal'].flatMap((name) =>
      columns.headings.filter((heading) => heading === name || heading.startsWith(`${name}_(`)),
    );
    const cost = columns.number(...costHeading);
    const stated = columns.text('currency');
    const own = columns.preamble.get('currency') ?? SYMBOLS[costHeading[0]?.at(-2) ?? ''] ?? 'USD';
    const amountOf = columns.number('usage_amount');
    const unit = columns.text('usage_unit');
    return (row) => {
      const amount = cost(row) ?? 0;
      const kind = kindOf(row).toLowerCase();
      // The sum of all lines.
      if (kind === 'total') return [];
      const currency = (stated(row) || own).toUpperCase();
      const about = { account: account(row), key: '' };
      const apart = (as: ApartRow['apart'], label: string, of = amount): ApartRow => ({
        ...{ apart: as, label, amount: of, currency },
        ...about,
      });
      if (kind === 'tax') return [apart('tax', 'tax')];
      if (/adjustment|rounding/.test(kind)) return [apart('restated', kind.replace('_', ' '))];
      if (creditOf(row) !== '') return [apart('credit', creditOf(row))];
      const given = creditsIn(credits(row)).map(({ name, sum }) => apart('credit', name, sum));
      const name = modelOf(service(row), sku(row));
      if (name === null) return [apart('service', service(row) || 'other'), ...given];
      if (amount < 0) return [apart('credit', sku(row)), ...given];
      const day = first(row);
      const end = last(row);
      // An end without a time is the line's last day, one with a time is the instant after it.
      const until = Number.isNaN(end) ? day : Math.max(day, wholeDays ? end : end - 1);
      const foreign = currency !== 'USD';
      const line = {
        ...{ ...NO_FIGURES, ...countedTokens(sku(row), unit(row), amountOf(row)), ...about },
        ...{ day, until, provider: 'google', model: name, type: sku(row), usd: foreign ? null : amount },
      };
      return foreign ? [apart('currency', sku(row)), line, ...given] : [line, ...given];
    };
  },
};

const SYMBOLS: Readonly<Record<string, string>> = {
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
};

/** The model of an SKU; null if it bills something else. */
function modelOf(service: string, sku: string): string | null {
  if (!SERVICE.test(service) || bucketOf(sku) === null || /storage/i.test(sku)) return null;
  const name = sku.replaceAll(WORDS, ' ').replaceAll(/\s+/g, ' ').trim();
  return /\d|gemini|claude/i.test(name) ? name : null;
}

function countedTokens(sku: string, unit: string, quantity: number | null) {
  const isTokens = unit.toLowerCase() === 'count' && !OTHER_UNIT.test(sku);
  return isTokens ? tokensOf(sku, { quantity, unit: 'tokens' }) : {};
}

/** BigQuery's repeated column as JSON: `[{"name":"…","amount":-1.5}]`. */
function creditsIn(text: string): { name: string; sum: number }[] {
  if (!text.startsWith('[') || text === '[]') return [];
  try {
    const list: unknown = JSON.parse(text);
    return (Array.isArray(list) ? list : []).map((credit: { name?: unknown; amount?: unknown } | null) => ({
      name: typeof credit?.name === 'string' ? credit.name : 'credit',
      sum: Number(credit?.amount),
    }));
  } catch {
    return [{ name: 'credit', sum: Number.NaN }];
  }
}
