import { modelByDisplayName } from '../../../core/pricing/index.ts';
import { type ApartRow, type ExportFormat, NO_FIGURES } from './format.ts';
import { bucketOf, tokensOf } from './token-type.ts';

const PROVIDER = 'openai';

/** OpenAI Platform, Usage, Export. Input includes cached tokens. Models are empty unless it is grouped by model. */
export const openaiUsage: ExportFormat = {
  layout: 'openai-usage',
  known: [['num_model_requests'], ['start_time', 'start_time_iso']],
  provider: PROVIDER,
  names: 'ids',
  reader(columns) {
    const day = columns.day('start_time_iso', 'start_time');
    const model = columns.text('model');
    const account = columns.text('project_name', 'project_id');
    const key = columns.text('api_key_id');
    const calls = columns.number('num_model_requests');
    const input = columns.number('input_tokens');
    const cached = columns.number('input_cached_tokens');
    const output = columns.number('output_tokens');
    return (row) => {
      const requests = calls(row) ?? 0;
      const all = input(row);
      // Days without usage have a row without a model.
      if (requests === 0 && (all ?? 0) === 0) return [];
      const at = day(row);
      const cacheRead = all === null ? null : (cached(row) ?? 0);
      return [
        {
          ...NO_FIGURES,
          ...{ day: at, until: at, provider: PROVIDER, model: model(row) },
          ...{ account: account(row), key: key(row), type: '' },
          calls: requests,
          fresh: all === null ? null : Math.max(0, all - (cacheRead ?? 0)),
          cacheRead,
          cacheWrite: all === null ? null : 0,
          output: output(row),
        },
      ];
    };
  },
};

/**
 * OpenAI Platform, Usage, Spend, Export. With line items, a line is `gpt-4o-2024-08-06, input` or a tool such as
 * `web search tool calls`; without, it is the amount of a day.
 */
export const openaiCosts: ExportFormat = {
  layout: 'openai-costs',
  known: [['amount_value'], ['start_time', 'start_time_iso']],
  provider: PROVIDER,
  names: 'ids',
  reader(columns) {
    const day = columns.day('start_time_iso', 'start_time');
    const item = columns.text('line_item');
    const account = columns.text('project_name', 'project_id');
    const key = columns.text('api_key_id');
    const value = columns.text('amount_value');
    const amountOf = columns.number('amount_value');
    const currencyOf = columns.text('amount_currency');
    const quantity = columns.number('quantity');
    const unit = columns.text('quantity_unit');
    return (row) => {
      // Days without costs have a row without an amount.
      if (value(row) === '') return [];
      const amount = amountOf(row) ?? 0;
      const { model, type, isModel } = splitItem(item(row));
      const currency = (currencyOf(row) || 'usd').toUpperCase();
      const labels = { account: account(row), key: key(row) };
      const apart = (kind: ApartRow['apart'], label: string): ApartRow => ({
        ...{ apart: kind, label: label || 'total', amount, currency },
        ...labels,
      });
      const foreign = currency !== 'USD';
      if (!isModel) return [apart(foreign ? 'currency' : 'tool', item(row))];
      if (amount < 0) return [apart('credit', item(row))];
      const at = day(row);
      const tokens = tokensOf(type, { quantity: quantity(row), unit: unit(row) });
      const line = {
        ...{ ...NO_FIGURES, ...tokens, ...labels, type },
        ...{ day: at, until: at, provider: PROVIDER, model, usd: foreign ? null : amount },
      };
      return foreign ? [apart('currency', item(row)), line] : [line];
    };
  },
};

/** An item that bills tokens, or has a known name, is a model's; none at all is the total of all models. */
export function splitItem(item: string): { model: string; type: string; isModel: boolean } {
  const comma = item.indexOf(',');
  const model = (comma < 0 ? item : item.slice(0, comma)).trim();
  const type = comma < 0 ? '' : item.slice(comma + 1).trim();
  const isModel = item === '' || bucketOf(type) !== null || modelByDisplayName(PROVIDER, model) !== null;
  return { model, type, isModel };
}
