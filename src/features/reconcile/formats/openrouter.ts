import { type ApartRow, type ExportFormat, NO_FIGURES } from './format.ts';

/** OpenRouter, Activity, Export: a row for each generation, or for each day, model and endpoint (`/api/v1/activity`). */
export const openrouterActivity: ExportFormat = {
  layout: 'openrouter-activity',
  known: [['model_permaslug'], ['created_at', 'date']],
  provider: 'openrouter',
  names: 'ids',
  reader(columns) {
    const day = columns.day('created_at', 'date');
    const model = columns.text('model', 'model_permaslug');
    const account = columns.text('app_name');
    const key = columns.text('api_key_name');
    const calls = columns.number('requests');
    const input = columns.number('tokens_prompt', 'prompt_tokens');
    const cached = columns.number('tokens_cached', 'cached_tokens');
    const output = columns.number('tokens_completion', 'completion_tokens');
    const cost = columns.number('cost_total', 'usage');
    const own = columns.number('byok_usage_inference');
    return (row) => {
      const at = day(row);
      const labels = { account: account(row), key: key(row) };
      const all = input(row);
      const cacheRead = all === null ? null : cached(row);
      const usd = cost(row);
      const name = model(row);
      const line = {
        ...{ ...NO_FIGURES, ...labels, day: at, until: at, provider: 'openrouter', model: name, type: '' },
        calls: calls(row) ?? 1,
        fresh: all === null ? null : Math.max(0, all - (cacheRead ?? 0)),
        ...{ cacheRead, cacheWrite: cacheRead === null ? null : 0, output: output(row), usd },
      };
      // What the provider bills to the key of one's own is on the provider's invoice.
      const byok = own(row) ?? 0;
      const apart: ApartRow = {
        ...{ apart: 'tool', label: 'billed by the provider (own key)', amount: byok, currency: 'USD' },
        ...labels,
      };
      return byok > 0 ? [line, apart] : [line];
    };
  },
};
