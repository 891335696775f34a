import { z } from 'zod';
import { DAY_MS, formatInstant } from '../../../../lib/time.ts';
import { addUpFigures, dayOf, type Figure, NO_COUNTS, type ProviderSource } from '../figures.ts';
import { DAYS_A_PAGE, getPages } from '../get-pages.ts';

const COSTS = '/v1/organizations/cost_report';
const USAGE = '/v1/organizations/usage_report/messages';
/** The workspace that has no id. */
const DEFAULT_WORKSPACE = 'default';

const text = z.string().max(500).nullish();
const count = z.number().nonnegative();
const buckets = <R extends z.ZodType>(result: R) =>
  z.object({
    data: z.array(z.object({ starting_at: z.string(), results: z.array(result) })),
    has_more: z.boolean(),
    next_page: z.string().nullish(),
  });

/** https://platform.claude.com/docs/en/api/admin-api/usage-cost/get-cost-report */
const costReport = buckets(
  z.object({
    /** Cents as a decimal: `123.45` in USD is $1.23. */
    amount: z.string().regex(/^-?\d+(\.\d+)?$/),
    currency: z.string().min(1).max(10),
    cost_type: text,
    description: text,
    model: text,
    workspace_id: text,
  }),
);

/** https://platform.claude.com/docs/en/api/admin-api/usage-cost/get-messages-usage-report */
const usageReport = buckets(
  z.object({
    uncached_input_tokens: count,
    cache_read_input_tokens: count,
    cache_creation: z
      .object({ ephemeral_1h_input_tokens: count, ephemeral_5m_input_tokens: count })
      .nullish(),
    output_tokens: count,
    model: text,
    workspace_id: text,
  }),
);

const NANO_PER_CENT = 1e7;

/** Anthropic's cost report and its usage report for messages. Neither states calls. */
export const anthropicSource: ProviderSource = {
  origin: 'https://api.anthropic.com',
  keyKind: 'an admin key (sk-ant-admin…) of the organization',
  most: 92,
  headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  async read(get, { from, to }, accounts) {
    const isAsked = (workspace: string | null | undefined): boolean =>
      accounts.size === 0 || accounts.has(workspace ?? DEFAULT_WORKSPACE);
    const window = [
      ['starting_at', formatInstant(from * DAY_MS)],
      ['ending_at', formatInstant(to * DAY_MS)],
      ['bucket_width', '1d'],
      ['limit', String(DAYS_A_PAGE)],
      ['group_by[]', 'workspace_id'],
    ] as const;
    const costs = await getPages(get, {
      path: COSTS,
      query: [...window, ['group_by[]', 'description']],
      schema: costReport,
    });
    const usage = await getPages(get, {
      path: USAGE,
      query: [...window, ['group_by[]', 'model']],
      schema: usageReport,
    });
    return addUpFigures([
      ...costs.flatMap(({ starting_at, results }) =>
        results
          .filter(({ workspace_id }) => isAsked(workspace_id))
          .map((cost) => toCost(dayOf(starting_at, COSTS), cost)),
      ),
      ...usage.flatMap(({ starting_at, results }) =>
        results
          .filter(({ workspace_id, model }) => isAsked(workspace_id) && (model ?? '') !== '')
          .map((used) => toUsage(dayOf(starting_at, USAGE), used)),
      ),
    ]);
  },
};

type Cost = z.infer<typeof costReport>['data'][number]['results'][number];
type Usage = z.infer<typeof usageReport>['data'][number]['results'][number];

function toCost(day: number, { amount, currency: given, model, cost_type, description }: Cost): Figure {
  const currency = given.toUpperCase();
  const amountNano = Math.round(Number(amount) * NANO_PER_CENT);
  const label = model ?? cost_type ?? description ?? 'other';
  const kind =
    currency !== 'USD' ? 'currency' : amountNano < 0 ? 'credit' : (model ?? '') === '' ? 'tool' : 'model';
  return { day, kind, label, currency, amountNano, ...NO_COUNTS };
}

const toUsage = (day: number, used: Usage): Figure => ({
  ...{ day, kind: 'model', label: used.model ?? '', currency: 'USD', amountNano: 0, calls: null },
  fresh: used.uncached_input_tokens,
  cacheRead: used.cache_read_input_tokens,
  cacheWrite:
    (used.cache_creation?.ephemeral_5m_input_tokens ?? 0) +
    (used.cache_creation?.ephemeral_1h_input_tokens ?? 0),
  output: used.output_tokens,
});
