import { z } from 'zod';
import { DAY_MS } from '../../../../lib/time.ts';
import { splitItem } from '../../formats/openai.ts';
import { addUpFigures, dayOf, type Figure, NO_COUNTS, type ProviderSource } from '../figures.ts';
import { DAYS_A_PAGE, getPages } from '../get-pages.ts';

const COSTS = '/v1/organization/costs';
/** Usage that counts requests of models. */
const USAGES = [
  'completions',
  'embeddings',
  'moderations',
  'images',
  'audio_speeches',
  'audio_transcriptions',
];

const text = z.string().max(500).nullish();
const count = z.number().nonnegative();
const buckets = <R extends z.ZodType>(result: R) =>
  z.object({
    data: z.array(z.object({ start_time: z.number(), results: z.array(result) })),
    has_more: z.boolean(),
    next_page: z.string().nullish(),
  });

/** https://platform.openai.com/docs/api-reference/usage/costs */
const costsPage = buckets(
  z.object({
    amount: z
      .object({ value: z.coerce.number().nullish(), currency: z.string().max(10).nullish() })
      .nullish(),
    line_item: text,
    project_id: text,
  }),
);

/** https://platform.openai.com/docs/api-reference/usage */
const usagePage = buckets(
  z.object({
    num_model_requests: count,
    input_tokens: count.nullish(),
    /** Part of `input_tokens`. */
    input_cached_tokens: count.nullish(),
    output_tokens: count.nullish(),
    model: text,
    project_id: text,
  }),
);

/** OpenAI's costs by line item, and the usage of its models. */
export const openaiSource: ProviderSource = {
  origin: 'https://api.openai.com',
  keyKind: 'an admin key (sk-admin-…) of the organization',
  most: 92,
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  async read(get, { from, to }, accounts) {
    const isAsked = (project: string | null | undefined): boolean =>
      accounts.size === 0 || accounts.has(project ?? '');
    const window = [
      ['start_time', String((from * DAY_MS) / 1_000)],
      ['end_time', String((to * DAY_MS) / 1_000)],
      ['bucket_width', '1d'],
      ['limit', String(DAYS_A_PAGE)],
      ['group_by[]', 'project_id'],
    ] as const;
    const costs = await getPages(get, {
      path: COSTS,
      query: [...window, ['group_by[]', 'line_item']],
      schema: costsPage,
    });
    const figures = costs.flatMap(({ start_time, results }) =>
      results
        .filter(({ project_id }) => isAsked(project_id))
        .map((cost) => toCost(dayOf(start_time, COSTS), cost)),
    );
    for (const usage of USAGES) {
      const path = `/v1/organization/usage/${usage}`;
      const found = await getPages(get, {
        path,
        query: [...window, ['group_by[]', 'model']],
        schema: usagePage,
      });
      for (const { start_time, results } of found)
        for (const used of results)
          if (isAsked(used.project_id) && (used.model ?? '') !== '')
            figures.push(toUsage(dayOf(start_time, path), used));
    }
    return addUpFigures(figures);
  },
};

type Cost = z.infer<typeof costsPage>['data'][number]['results'][number];
type Usage = z.infer<typeof usagePage>['data'][number]['results'][number];

function toCost(day: number, { amount, line_item }: Cost): Figure {
  const currency = (amount?.currency ?? 'usd').toUpperCase();
  const amountNano = Math.round((amount?.value ?? 0) * 1e9);
  const { model, isModel } = splitItem(line_item ?? '');
  const isNamed = isModel && model !== '';
  const kind = currency !== 'USD' ? 'currency' : !isNamed ? 'tool' : amountNano < 0 ? 'credit' : 'model';
  const label = kind === 'model' ? model : line_item || 'no line item';
  return { day, kind, label, currency, amountNano, ...NO_COUNTS };
}

function toUsage(day: number, used: Usage): Figure {
  const input = used.input_tokens ?? null;
  const cached = used.input_cached_tokens ?? null;
  return {
    ...{ day, kind: 'model', label: used.model ?? '', currency: 'USD', amountNano: 0 },
    calls: used.num_model_requests,
    fresh: input === null ? null : Math.max(0, input - (cached ?? 0)),
    cacheRead: input === null ? null : cached,
    cacheWrite: input === null ? null : 0,
    output: used.output_tokens ?? (input === null ? null : 0),
  };
}
