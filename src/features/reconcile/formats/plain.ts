import { type ExportFormat, NO_FIGURES } from './format.ts';

const CALLS = ['calls', 'requests'] as const;
const INPUT = ['input_tokens', 'prompt_tokens'] as const;
const OUTPUT = ['output_tokens', 'completion_tokens'] as const;
const COST = ['cost_usd', 'amount_usd', 'usd', 'cost', 'amount'] as const;

/** Any other export, brought to these columns. `input_tokens` includes cached tokens. */
export const plainCsv: ExportFormat = {
  layout: 'generic',
  known: [['model'], ['date', 'day', 'timestamp', 'time']],
  provider: null,
  names: 'ids',
  reader(columns) {
    const day = columns.day('date', 'day', 'timestamp', 'time');
    const provider = columns.text('provider');
    const model = columns.text('model');
    const account = columns.text('account', 'project', 'workspace');
    const key = columns.text('api_key');
    const calls = columns.number(...CALLS);
    const input = columns.number(...INPUT);
    const read = columns.number('cached_input_tokens', 'cache_read_tokens', 'cached_tokens');
    const write = columns.number('cache_write_tokens', 'cache_creation_tokens');
    const output = columns.number(...OUTPUT);
    const cost = columns.number(...COST);
    const currencyOf = columns.text('currency');
    // A row with a time is a call; one of a day may be many.
    const isByCall = columns.has('timestamp', 'time');
    return (row) => {
      const at = day(row);
      const labels = { account: account(row), key: key(row) };
      const all = input(row);
      const [cacheRead, cacheWrite] = [read(row), write(row)];
      const amount = cost(row);
      const currency = (currencyOf(row) || 'USD').toUpperCase();
      const name = model(row);
      if (amount !== null && amount < 0)
        return [{ apart: 'credit', label: name, amount, currency, ...labels }];
      const foreign = currency !== 'USD' && amount !== null;
      const line = {
        ...{ ...NO_FIGURES, ...labels, type: '' },
        ...{ day: at, until: at, provider: provider(row) || null, model: name },
        calls: columns.has(...CALLS) ? calls(row) : isByCall ? 1 : null,
        fresh: all === null ? null : Math.max(0, all - (cacheRead ?? 0) - (cacheWrite ?? 0)),
        cacheRead: all === null ? null : cacheRead,
        cacheWrite: all === null ? null : cacheWrite,
        output: output(row),
        usd: foreign ? null : amount,
      };
      return foreign ? [{ apart: 'currency', label: name, amount, currency, ...labels }, line] : [line];
    };
  },
};
