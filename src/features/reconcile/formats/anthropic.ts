import { type ApartRow, type ExportFormat, NO_FIGURES } from './format.ts';

/**
 * Claude Console, Cost, Export: a line for each day, model, workspace, API key and type of token. Models have display
 * names (`Claude Haiku 4.5`). Web searches, code execution and sessions have a `cost_type` of their own.
 */
export const anthropicCosts: ExportFormat = {
  layout: 'anthropic-costs',
  known: [['usage_date_utc'], ['cost_usd']],
  provider: 'anthropic',
  names: 'display',
  reader(columns) {
    const day = columns.day('usage_date_utc');
    const model = columns.text('model', 'model_version');
    const account = columns.text('workspace');
    const key = columns.text('api_key', 'api_key_id');
    const type = columns.text('token_type');
    const cost = columns.number('cost_usd');
    const list = columns.number('list_price_usd');
    const costType = columns.text('cost_type');
    return (row) => {
      const usd = cost(row);
      const labels = { account: account(row), key: key(row) };
      const apart = (kind: ApartRow['apart'], label: string): ApartRow[] => [
        { apart: kind, label, amount: usd ?? 0, currency: 'USD', ...labels },
      ];
      const of = costType(row);
      if (of !== '' && !/^tokens?$/.test(of)) return apart('tool', of);
      if (usd !== null && usd < 0) return apart('credit', `${model(row)} ${type(row)}`.trim());
      const at = day(row);
      const named = { day: at, until: at, provider: 'anthropic', model: model(row) };
      return [{ ...NO_FIGURES, ...named, ...labels, type: type(row), usd, listUsd: list(row) }];
    };
  },
};

/** Claude Console, Usage, Export: tokens for each day, model, workspace and API key; no calls and no amounts. */
export const anthropicUsage: ExportFormat = {
  layout: 'anthropic-usage',
  known: [['usage_date_utc'], ['usage_input_tokens_no_cache']],
  provider: 'anthropic',
  names: 'ids',
  reader(columns) {
    const day = columns.day('usage_date_utc');
    const model = columns.text('model_version', 'model');
    const account = columns.text('workspace');
    const key = columns.text('api_key');
    const type = columns.text('usage_type');
    const fresh = columns.number('usage_input_tokens_no_cache');
    const cacheRead = columns.number('usage_input_tokens_cache_read');
    const written = ['5m', '1h'].map((ttl) => columns.number(`usage_input_tokens_cache_write_${ttl}`));
    const output = columns.number('usage_output_tokens');
    return (row) => {
      const at = day(row);
      return [
        {
          ...NO_FIGURES,
          ...{ day: at, until: at, provider: 'anthropic', model: model(row) },
          ...{ account: account(row), key: key(row), type: type(row) },
          fresh: fresh(row),
          cacheRead: cacheRead(row) ?? 0,
          cacheWrite: written.reduce((sum, read) => sum + (read(row) ?? 0), 0),
          output: output(row),
        },
      ];
    };
  },
};
