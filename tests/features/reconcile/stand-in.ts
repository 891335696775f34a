/** A stand-in for the providers' reporting APIs, which follows their published schemas and pages by `limit`. */

const DAY_MS = 86_400_000;

/** Entries of each day by path, as the provider reports them: `YYYY-MM-DD`. */
export type Reports = Record<string, Record<string, object[]>>;

export type StandIn = {
  readonly url: string;
  readonly reports: Reports;
  /** Path and query of each request, and its headers. */
  readonly requests: { path: string; query: URLSearchParams; headers: Headers }[];
  /** Replies that come first, one for each request. */
  readonly first: ((path: string) => Response | Promise<Response>)[];
  stop(): Promise<void>;
};

export function openStandIn(): StandIn {
  const reports: Reports = {};
  const requests: StandIn['requests'] = [];
  const first: StandIn['first'] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname: path, searchParams: query } = new URL(request.url);
      requests.push({ path, query, headers: request.headers });
      const reply = first.shift();
      if (reply !== undefined) return reply(path);
      if (path === '/api/v1/activity')
        return Response.json({ data: Object.values(reports[path] ?? {}).flat() });
      return Response.json(pageOf(reports[path] ?? {}, query));
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    ...{ reports, requests, first },
    stop: () => server.stop(true),
  };
}

/** A page of daily buckets with `has_more` and `next_page`, as Anthropic and OpenAI give them. */
function pageOf(byDay: Record<string, object[]>, query: URLSearchParams): object {
  const isAnthropic = query.has('starting_at');
  const [start, end] = isAnthropic
    ? [Date.parse(query.get('starting_at') ?? ''), Date.parse(query.get('ending_at') ?? '')]
    : [Number(query.get('start_time')) * 1_000, Number(query.get('end_time')) * 1_000];
  const from = query.get('page') === null ? start : Number(query.get('page')?.slice('page_'.length));
  const to = Math.min(end, from + Number(query.get('limit')) * DAY_MS);
  const data = Array.from({ length: Math.round((to - from) / DAY_MS) }, (_, i) => {
    const at = from + i * DAY_MS;
    const results = byDay[new Date(at).toISOString().slice(0, 10)] ?? [];
    return isAnthropic
      ? { starting_at: new Date(at).toISOString(), ending_at: new Date(at + DAY_MS).toISOString(), results }
      : { object: 'bucket', start_time: at / 1_000, end_time: (at + DAY_MS) / 1_000, results };
  });
  const more = to < end;
  const page = { data, has_more: more, next_page: more ? `page_${to}` : null };
  return isAnthropic ? page : { object: 'page', ...page };
}

/** A line of Anthropic's cost report, grouped by workspace and description; `amount` is in cents. */
export const anthropicCost = (model: string | null, amount: string, more: object = {}): object => ({
  ...{ currency: 'USD', amount, workspace_id: null, description: `${model} Usage - Output Tokens` },
  ...{ cost_type: model === null ? 'web_search' : 'tokens', context_window: '0-200k', model },
  ...{ service_tier: 'standard', token_type: 'output_tokens', inference_geo: 'global' },
  ...more,
});

/** A line of Anthropic's usage report for messages. */
export const anthropicUsage = (model: string, more: object = {}): object => ({
  ...{ uncached_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
  cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
  server_tool_use: { web_search_requests: 0 },
  ...{ api_key_id: null, workspace_id: null, model, service_tier: null, context_window: null },
  ...more,
});

/** A line of OpenAI's costs, grouped by project and line item. */
export const openaiCost = (item: string | null, value: number, more: object = {}): object => ({
  object: 'organization.costs.result',
  amount: { value, currency: 'usd' },
  ...{ line_item: item, project_id: 'proj_a', organization_id: 'org-1', ...more },
});

/** A line of OpenAI's usage of completions. */
export const openaiUsage = (model: string, more: object = {}): object => ({
  object: 'organization.usage.completions.result',
  ...{
    input_tokens: 0,
    output_tokens: 0,
    input_cached_tokens: 0,
    input_audio_tokens: 0,
    output_audio_tokens: 0,
  },
  ...{
    num_model_requests: 0,
    project_id: 'proj_a',
    user_id: null,
    api_key_id: null,
    model,
    batch: null,
    ...more,
  },
});

/** A line of OpenRouter's activity. */
export const openrouterRow = (date: string, model: string, more: object = {}): object => ({
  ...{ date, model, model_permaslug: `${model}-20250414`, endpoint_id: 'e-1', provider_name: 'OpenAI' },
  ...{
    usage: 0,
    byok_usage_inference: 0,
    requests: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    reasoning_tokens: 0,
  },
  ...more,
});
