import { z } from 'zod';
import { addUpFigures, dayOf, type Figure, NO_COUNTS, type ProviderSource } from '../figures.ts';
import { parseReply } from '../get-pages.ts';

const PATH = '/api/v1/activity';
const count = z.number().nonnegative();

/** https://openrouter.ai/docs/api/api-reference/analytics/get-user-activity */
const activity = z.object({
  data: z.array(
    z.object({
      date: z.string(),
      model: z.string().min(1).max(500),
      /** USD of credits. */
      usage: z.number(),
      /** USD that the provider bills to a key of one's own. */
      byok_usage_inference: z.number().nullish(),
      requests: count,
      prompt_tokens: count,
      completion_tokens: count,
    }),
  ),
});

/** OpenRouter's activity of the last 30 completed days, in one reply. It does not state cached tokens. */
export const openrouterSource: ProviderSource = {
  origin: 'https://openrouter.ai',
  keyKind: 'a management key of OpenRouter',
  most: 30,
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  async read(get, { from, to }) {
    const { data } = parseReply(activity, await get(PATH, []), PATH);
    const figures = data.flatMap((row): Figure[] => {
      const day = dayOf(row.date, PATH);
      if (day < from || day >= to) return [];
      const byok = row.byok_usage_inference ?? 0;
      const apart: Figure = {
        ...{ day, kind: 'tool', label: 'billed by the provider (own key)', currency: 'USD' },
        ...{ amountNano: Math.round(byok * 1e9), ...NO_COUNTS },
      };
      const used: Figure = {
        ...{ day, kind: 'model', label: row.model, currency: 'USD', amountNano: Math.round(row.usage * 1e9) },
        ...{ calls: row.requests, fresh: row.prompt_tokens, cacheRead: null, cacheWrite: null },
        output: row.completion_tokens,
      };
      return byok > 0 ? [used, apart] : [used];
    });
    return addUpFigures(figures);
  },
};
