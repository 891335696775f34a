import type { Columns } from './columns.ts';
import { type ApartRow, type ExportFormat, NO_FIGURES } from './format.ts';
import { bucketOf, tokensOf } from './token-type.ts';

/** `USE1-`, `USE1-MP:USE1_`: the region in front of a usage type. */
const REGION = /^[A-Z]{2,4}\d?-(?:MP:)?(?:[A-Z]{2,4}\d?_)?/;
/** What follows the model: `-input-tokens-batch`, `InputTokenCount_Global-Units`. */
const TOKENS =
  /[-_]?(?:mantle[-_])?(?:cache[-_]?(?:read|write)[-_]?)?(?:input|output|response)[-_]?token.*$|[-_]?cache[-_]?(?:read|write).*$/i;

/**
 * AWS Cost and Usage Report: version 1 (`lineItem/UsageType`) and 2, also of Data Exports (`line_item_usage_type`).
 * Amazon's own models are lines of `AmazonBedrock`; others are sold by the marketplace, as `Claude Sonnet 4.5 (Amazon
 * Bedrock Edition)`. Lines of other services are added up apart.
 */
export const awsCur: ExportFormat = {
  layout: 'aws-cur',
  known: [
    ['line_item_usage_type', 'lineitem_usagetype'],
    ['line_item_unblended_cost', 'lineitem_unblendedcost'],
  ],
  provider: 'aws',
  names: 'display',
  reader(columns) {
    const day = columns.day('line_item_usage_start_date', 'lineitem_usagestartdate');
    const code = columns.text('line_item_product_code', 'lineitem_productcode');
    const product = productOf(columns);
    const usage = columns.text('line_item_usage_type', 'lineitem_usagetype');
    const itemType = columns.text('line_item_line_item_type', 'lineitem_lineitemtype');
    const cost = columns.number('line_item_unblended_cost', 'lineitem_unblendedcost');
    const list = columns.number('pricing_public_on_demand_cost', 'pricing_publicondemandcost');
    const currencyOf = columns.text('line_item_currency_code', 'lineitem_currencycode');
    const account = columns.text('line_item_usage_account_id', 'lineitem_usageaccountid');
    const quantity = columns.number('line_item_usage_amount', 'lineitem_usageamount');
    const unit = columns.text('pricing_unit');
    return (row) => {
      const amount = cost(row) ?? 0;
      const currency = (currencyOf(row) || 'USD').toUpperCase();
      const about = { account: account(row), key: '' };
      const apart = (as: ApartRow['apart'], label: string): ApartRow => ({
        ...{ apart: as, label, amount, currency },
        ...about,
      });
      const name = product(row);
      if (!/bedrock/i.test(`${code(row)} ${name}`)) return [apart('service', name || code(row) || 'other')];
      const of = itemType(row);
      if (/tax/i.test(of)) return [apart('tax', of)];
      if (/credit|refund|discount$/i.test(of)) return [apart('credit', of)];
      const model = modelOf(name, usage(row));
      if (model === '' || bucketOf(usage(row)) === null) return [apart('tool', usage(row) || of)];
      if (!/usage$/i.test(of) && of !== '') return [apart('service', of)];
      const at = day(row);
      const foreign = currency !== 'USD';
      const line = {
        ...{
          ...NO_FIGURES,
          ...tokensOf(usage(row), { quantity: quantity(row), unit: unit(row) }),
          ...about,
          day: at,
          until: at,
          provider: 'aws',
          model,
        },
        ...{ type: usage(row), usd: foreign ? null : amount, listUsd: foreign ? null : list(row) },
      };
      return foreign ? [apart('currency', usage(row)), line] : [line];
    };
  },
};

/** The product's name: a column of its own, or in the map of version 2 (`{"product_name":"…"}`). */
function productOf(columns: Columns): (row: readonly string[]) => string {
  const plain = columns.text('product_product_name', 'product_productname', 'product_name');
  const map = columns.text('product');
  return (row) => plain(row) || (/"product_name"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(map(row))?.[1] ?? '');
}

function modelOf(product: string, usageType: string): string {
  const edition = product.slice(0, Math.max(0, product.search(/\(Amazon Bedrock/i))).trim();
  return edition || usageType.replace(REGION, '').replace(TOKENS, '');
}
