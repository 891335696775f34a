import { type MediaParts, readMedia } from './modalities.ts';
import { objectAt, type RawUsage, toCount } from './raw-usage.ts';
import { unreadCounts } from './unread-counts.ts';

/** What a provider was asked for that changes its rates; null for the usual. In lower case. */
export type Modifiers = {
  /** The service tier that answered: `batch`, `flex`, `priority` … */
  readonly serviceTier: string | null;
  /** Anthropic's `speed`: `fast`. */
  readonly speed: string | null;
  /** Anthropic's `inference_geo`: `us`. */
  readonly geo: string | null;
};

/** Quantities other than the buckets that affect a price. Counts are whole numbers. */
export type UsageExtras = Modifiers & {
  /** Tokens of audio, images and video within the buckets; null if there are none. */
  readonly media: MediaParts | null;
  /** Seconds of audio, for models that are billed by time. */
  readonly audioSeconds: number;
  /** Pages of documents, for models that are billed by page. */
  readonly pages: number;
  readonly citations: number;
  readonly webSearch: number;
  /** Names of counts in the usage object that are none of these. */
  readonly unread: readonly string[];
  /**
   * The usage object says `incomplete: true`: the sender does not know all that was used, because the reply was cut.
   * Without any count the cost is then unknown, whatever became of the call.
   */
  readonly incomplete?: true;
};

/** What an incomplete usage object does not count. */
const CUT_OFF = 'tokens after the reply was cut';

/** Providers' names for what the list price applies to. */
const USUAL: ReadonlySet<string> = new Set([
  '',
  'auto',
  'default',
  'standard',
  'on-demand',
  'on_demand',
  'global',
  'not_available',
  'unspecified',
  'traffic_type_unspecified',
]);

/** Whether a call was made with a modifier. */
export const hasModifiers = (extras: UsageExtras | null | undefined): extras is UsageExtras =>
  extras !== null &&
  extras !== undefined &&
  (extras.serviceTier !== null || extras.speed !== null || extras.geo !== null);

const NO_MODIFIERS: Modifiers = { serviceTier: null, speed: null, geo: null };

/**
 * Reads the extras of a call: the tier from `service_tier` of the usage object or the metadata, Gemini's `serviceTier`
 * and `trafficType`, Anthropic's `speed`, `inference_geo` and `server_tool_use`, media tokens, seconds of audio (OpenAI's transcription
 * usage of type `duration`, Mistral's `prompt_audio_seconds`), pages (Mistral's `pages_processed`), and Perplexity's
 * searches and citations, and whether the sender says that it knows only a part. Null if there are none.
 */
export function usageExtras(usage: RawUsage | null, metadata: RawUsage | null): UsageExtras | null {
  const modifiers = readModifiers(usage, metadata);
  const media = usage === null ? null : readMedia(usage);
  const counts = readCounts(usage ?? {});
  const incomplete = usage?.incomplete === true;
  const unread = usage === null ? [] : [...unreadCounts(usage), ...(incomplete ? [CUT_OFF] : [])];
  const isPlain = modifiers === NO_MODIFIERS && media === null && unread.length === 0 && counts === NO_COUNTS;
  return isPlain ? null : { ...modifiers, media, ...counts, unread, ...(incomplete && { incomplete }) };
}

function readModifiers(usage: RawUsage | null, metadata: RawUsage | null): Modifiers {
  const stated = usage?.service_tier ?? usage?.serviceTier ?? usage?.trafficType ?? tierInMetadata(metadata);
  // Vertex AI: ON_DEMAND_FLEX.
  const serviceTier = named(stated)?.replace(/^on_demand_/, '') ?? null;
  const [speed, geo] = [named(usage?.speed), named(usage?.inference_geo)];
  return serviceTier === null && speed === null && geo === null ? NO_MODIFIERS : { serviceTier, speed, geo };
}

function named(value: unknown): string | null {
  const name = typeof value === 'string' ? value.trim().toLowerCase().slice(0, 40) : '';
  return USUAL.has(name) ? null : name;
}

const NO_COUNTS = { audioSeconds: 0, pages: 0, citations: 0, webSearch: 0 };

function readCounts(usage: RawUsage): typeof NO_COUNTS {
  const seconds = usage.type === 'duration' ? usage.seconds : usage.prompt_audio_seconds;
  const counts = {
    audioSeconds: toCount(typeof seconds === 'number' ? Math.round(seconds) : 0),
    pages: toCount(usage.pages_processed),
    citations: toCount(usage.citation_tokens),
    webSearch:
      toCount(objectAt(usage, 'server_tool_use').web_search_requests) + toCount(usage.num_search_queries),
  };
  return Object.values(counts).every((count) => count === 0) ? NO_COUNTS : counts;
}

/** Metadata keys in which OpenTelemetry clients and unknown event fields report the tier. */
const TIER_KEYS = [
  'service_tier',
  'openai.response.service_tier',
  'gen_ai.openai.response.service_tier',
  'anthropic.response.service_tier',
  'gen_ai.response.service_tier',
] as const;

function tierInMetadata(metadata: RawUsage | null): unknown {
  if (metadata === null) return undefined;
  for (const key of TIER_KEYS) if (metadata[key] !== undefined) return metadata[key];
  return undefined;
}
