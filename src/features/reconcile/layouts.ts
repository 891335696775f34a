import { badRequest } from '../../errors.ts';
import { DAY_MS, parseInstant } from '../../lib/time.ts';
import type { Layout } from './contract.ts';
import type { CsvTable } from './parse-csv.ts';

/** One row of an export in the terms of the ledger; null where the export does not say. */
export type InvoiceRow = {
  /** Days since the epoch, UTC. */
  readonly day: number;
  readonly provider: string | null;
  readonly model: string;
  readonly calls: number | null;
  readonly fresh: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly output: number | null;
  readonly usd: number | null;
};

/** How an export names what it tells. The first heading that is there is taken. */
type LayoutDef = {
  readonly layout: Layout;
  /** Headings that tell it from the others. */
  readonly known: readonly string[];
  readonly provider: string | null;
  readonly day: readonly string[];
  readonly model: readonly string[];
  readonly providers?: readonly string[];
  /** Absent: each row is one call, or (`null`) calls are not told. */
  readonly calls?: readonly string[] | null;
  /** All of the input, or what of it was neither read from nor written to the cache. */
  readonly input?: readonly string[];
  readonly fresh?: readonly string[];
  readonly cacheRead?: readonly string[];
  readonly cacheWrite?: readonly string[];
  readonly output?: readonly string[];
  readonly usd?: readonly string[];
};

/**
 * The headings of OpenAI's usage and cost exports (platform dashboard, Usage, Export), of Anthropic's
 * console exports (Usage, Cost) and of OpenRouter's activity, and plain ones for everybody else.
 */
const LAYOUT_DEFS: readonly LayoutDef[] = [
  {
    layout: 'openai-usage',
    known: ['num_model_requests', 'input_cached_tokens'],
    provider: 'openai',
    day: ['start_time_iso', 'start_time'],
    model: ['model'],
    calls: ['num_model_requests'],
    input: ['input_tokens'],
    cacheRead: ['input_cached_tokens'],
    output: ['output_tokens'],
  },
  {
    layout: 'openai-costs',
    known: ['amount_value', 'line_item'],
    provider: 'openai',
    day: ['start_time_iso', 'start_time'],
    model: ['line_item'],
    calls: null,
    usd: ['amount_value'],
  },
  {
    layout: 'anthropic-usage',
    known: ['usage_date_utc', 'usage_input_tokens_no_cache'],
    provider: 'anthropic',
    day: ['usage_date_utc'],
    model: ['model_version', 'model'],
    calls: null,
    fresh: ['usage_input_tokens_no_cache'],
    cacheRead: ['usage_input_tokens_cache_read'],
    cacheWrite: ['usage_input_tokens_cache_write_5m', 'usage_input_tokens_cache_write_1h'],
    output: ['usage_output_tokens'],
  },
  {
    layout: 'anthropic-costs',
    known: ['usage_date_utc', 'cost_usd'],
    provider: 'anthropic',
    day: ['usage_date_utc'],
    model: ['model_version', 'model'],
    calls: null,
    usd: ['cost_usd'],
  },
  {
    layout: 'openrouter-activity',
    known: ['model_permaslug'],
    provider: 'openrouter',
    day: ['created_at', 'date'],
    model: ['model_permaslug'],
    calls: ['requests'],
    input: ['tokens_prompt', 'prompt_tokens'],
    cacheRead: ['tokens_cached', 'cached_tokens'],
    output: ['tokens_completion', 'completion_tokens'],
    usd: ['cost_total', 'usage'],
  },
  {
    layout: 'generic',
    known: ['model'],
    provider: null,
    day: ['date', 'day', 'timestamp', 'time'],
    model: ['model'],
    providers: ['provider'],
    calls: ['calls', 'requests'],
    input: ['input_tokens', 'prompt_tokens'],
    cacheRead: ['cached_input_tokens', 'cache_read_tokens', 'cached_tokens'],
    cacheWrite: ['cache_write_tokens', 'cache_creation_tokens'],
    output: ['output_tokens', 'completion_tokens'],
    usd: ['cost_usd', 'cost', 'amount_usd', 'amount'],
  },
];

const MAX_IGNORED = 20;

export type ReadExport = {
  readonly layout: Layout;
  readonly provider: string | null;
  readonly rows: readonly InvoiceRow[];
  readonly ignored: readonly { readonly row: number; readonly why: string }[];
};

/** Reads an export by its headings. Throws 400 for headings that no layout has. */
export function readExport({ headings, rows }: CsvTable): ReadExport {
  const def = LAYOUT_DEFS.find(
    ({ known, day }) =>
      known.every((name) => headings.includes(name)) && day.some((name) => headings.includes(name)),
  );
  if (def === undefined)
    throw badRequest(
      `the header row matches no supported export: ${headings.slice(0, 12).join(', ')}; a plain CSV has date, model, calls, input_tokens, cached_input_tokens, output_tokens and cost_usd`,
    );
  const read = reader(def, headings);
  const ignored: { row: number; why: string }[] = [];
  const found = rows.flatMap((row, i) => {
    const result = read(row);
    if (typeof result !== 'string') return [result];
    if (ignored.length < MAX_IGNORED) ignored.push({ row: i + 2, why: result });
    return [];
  });
  if (found.length === 0)
    throw badRequest(`no row of the export could be read: ${ignored[0]?.why ?? 'none has a model'}`);
  return { layout: def.layout, provider: def.provider, rows: found, ignored };
}

function reader(
  def: LayoutDef,
  headings: readonly string[],
): (row: readonly string[]) => InvoiceRow | string {
  const placesOf = (names: readonly string[] = []): number[] =>
    names.map((name) => headings.indexOf(name)).filter((place) => place >= 0);
  const [dayAt, modelAt, providerAt, callsAt] = [def.day, def.model, def.providers, def.calls ?? []].map(
    (names) => placesOf(names)[0],
  );
  const sums = {
    input: placesOf(def.input).slice(0, 1),
    fresh: placesOf(def.fresh),
    cacheRead: placesOf(def.cacheRead).slice(0, 1),
    cacheWrite:
      def.layout === 'anthropic-usage' ? placesOf(def.cacheWrite) : placesOf(def.cacheWrite).slice(0, 1),
    output: placesOf(def.output).slice(0, 1),
    usd: placesOf(def.usd).slice(0, 1),
  };
  return (row) => {
    const text = (place: number | undefined): string =>
      place === undefined ? '' : (row[place] ?? '').trim();
    const day = toDay(text(dayAt));
    if (day === null) return `${JSON.stringify(text(dayAt).slice(0, 40))} is no time`;
    const model = toModel(def.layout, text(modelAt));
    if (model === '') return 'it names no model';
    const numbers: Record<string, number | null> = {};
    for (const [name, places] of Object.entries(sums)) {
      const values = places.map((place) => toNumber(text(place)));
      if (values.includes(null)) return `its ${name} is no number`;
      numbers[name] = places.length === 0 ? null : values.reduce<number>((a, b) => a + (b ?? 0), 0);
    }
    const {
      input = null,
      fresh = null,
      cacheRead = null,
      cacheWrite = null,
      output = null,
      usd = null,
    } = numbers;
    return {
      day,
      provider: text(providerAt) || def.provider,
      model,
      calls: def.calls === null ? null : callsAt === undefined ? 1 : (toNumber(text(callsAt)) ?? 0),
      fresh: fresh ?? (input === null ? null : Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0))),
      cacheRead: cacheRead ?? (input === null ? null : 0),
      cacheWrite: cacheWrite ?? (input === null && fresh === null ? null : 0),
      output,
      usd,
    };
  };
}

/** OpenAI's line items are `model, input`; the model is what comes first. */
const toModel = (layout: Layout, text: string): string =>
  layout === 'openai-costs' ? (text.split(',')[0] ?? '').trim() : text;

/** ISO 8601, or seconds since the epoch, as days since the epoch. */
function toDay(text: string): number | null {
  const ms = /^\d{9,10}(\.0+)?$/.test(text) ? Number(text) * 1000 : parseInstant(text);
  return ms === null ? null : Math.floor(ms / DAY_MS);
}

/** An empty field is nothing; thousands separators are no numbers. */
function toNumber(text: string): number | null {
  if (text === '') return 0;
  const value = Number(text.replace(/^\$/, ''));
  return Number.isFinite(value) ? value : null;
}
