import { type ApartRow, type ExportFormat, NO_FIGURES } from './format.ts';
import { bucketOf, tokensOf } from './token-type.ts';

/** Meters of models are in these categories and bill tokens. */
const CATEGORY = /openai|foundry|cognitive services|ai services/i;
/** What a meter says beside the model, in its many spellings: `gpt-4o-0806-Inp-glbl Tokens`. */
const WORDS =
  /\b(?:inp|inpt|input|outp|outpt|output|opt|cached|cache|cchd|cd|wr|write|glbl|gl|global|regnl|rg|regional|reg|dz|dzone|datazone|data|zone|batch|std|standard|pp|prio|priority|shortco|longco|tokens?|1k|1m|txt|text)\b/gi;
/** Month and day of a version: `0806`. */
const VERSION = /\b(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\b/g;

/**
 * Azure Cost Management, Exports: cost and usage details of any agreement (`MeterCategory`, `CostInBillingCurrency`
 * and so on). USD come from `costInUsd` where the export has it.
 */
export const azureCosts: ExportFormat = {
  layout: 'azure-costs',
  known: [['metercategory'], ['metername', 'meter']],
  provider: 'azure',
  names: 'display',
  reader(columns) {
    const day = columns.day('date', 'usagedatetime', 'usagedate');
    const category = columns.text('metercategory');
    const sub = columns.text('metersubcategory');
    const product = columns.text('productname', 'product');
    const meter = columns.text('metername', 'meter');
    const quantity = columns.number('quantity', 'usagequantity', 'consumedquantity');
    const unit = columns.text('unitofmeasure');
    const inUsd = columns.number('costinusd');
    const cost = columns.number('costinbillingcurrency', 'cost', 'pretaxcost');
    const currencyOf = columns.text('billingcurrencycode', 'billingcurrency', 'currency', 'currencycode');
    const charge = columns.text('chargetype');
    const account = columns.text('subscriptionname', 'subscriptionid', 'subscriptionguid');
    const list = columns.number('paygcostinusd');
    return (row) => {
      const usd = inUsd(row);
      const currency = usd === null ? (currencyOf(row) || 'USD').toUpperCase() : 'USD';
      const amount = usd ?? cost(row) ?? 0;
      const about = { account: account(row), key: '' };
      const apart = (as: ApartRow['apart'], label: string): ApartRow => ({
        ...{ apart: as, label, amount, currency },
        ...about,
      });
      const kind = charge(row).toLowerCase();
      if (kind.includes('tax')) return [apart('tax', charge(row))];
      if (/refund|credit/.test(kind)) return [apart('credit', charge(row))];
      if (/adjustment|rounding/.test(kind)) return [apart('restated', charge(row))];
      const isModel =
        CATEGORY.test(`${category(row)} ${sub(row)} ${product(row)}`) && /token/i.test(meter(row));
      if (!isModel || bucketOf(meter(row)) === null || (kind !== '' && kind !== 'usage'))
        return [apart('service', kind === '' || kind === 'usage' ? category(row) : charge(row))];
      if (amount < 0) return [apart('credit', meter(row))];
      const at = day(row);
      const foreign = currency !== 'USD';
      const line = {
        ...{
          ...NO_FIGURES,
          ...tokensOf(meter(row), { quantity: quantity(row), unit: unit(row) }),
          ...about,
          day: at,
          until: at,
          provider: 'azure',
        },
        ...{ model: modelOf(meter(row)), type: meter(row) },
        ...{ usd: foreign ? null : amount, listUsd: foreign ? null : list(row) },
      };
      return foreign ? [apart('currency', meter(row)), line] : [line];
    };
  },
};

/** `gpt 4o mini`; newer meters of OpenAI begin with the number (`5.4 nano`). */
function modelOf(meter: string): string {
  const name = meter
    .replaceAll(/[-_]/g, ' ')
    .replaceAll(WORDS, ' ')
    .replaceAll(VERSION, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /^\d/.test(name) ? `gpt ${name}` : name;
}
