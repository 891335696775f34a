import { chooseVersion } from '../../lib/prompts/choose-version.ts';
import type { PromptMessage } from '../../lib/prompts/fill-template.ts';
import type { Place } from '../context.ts';
import type { Settings } from '../options.ts';
import type { Report } from '../problems.ts';
import { deadline } from '../runtime.ts';
import { backoff } from '../send/retry.ts';
import type { Transport } from '../send/transport.ts';
import type { Attachments, PromptSource } from './attach.ts';
import { type Fetched, fillVersion, type ReadyVersion, readFallback, readFetched } from './fetched.ts';
import type { LibraryPrompt, PromptFallback, PromptKind, PromptOptions } from './prompt-options.ts';

const TTL_MS = 60_000;
/** Prompts in memory; beyond it the ones that were fetched first are dropped. */
const MAX_PROMPTS = 10_000;
/** With a fallback, the first fetch holds up its caller no longer than this. */
const FIRST_WAIT_MS = 2_000;

/** One prompt at a label or a version. Times are of `performance.now()`. */
type Entry = {
  readonly path: string;
  readonly what: string;
  fetched: Fetched | null;
  etag: string | null;
  freshAt: number;
  failures: number;
  /** Why the last fetch failed; null if it did not. */
  problem: string | null;
  retryAt: number;
  running: Promise<void> | null;
};

type Parts = {
  readonly settings: Settings;
  readonly transport: Transport;
  readonly report: Report;
  readonly attachments: Attachments;
  readonly place: () => Place | undefined;
  readonly runWith: <T>(source: PromptSource, fn: () => T) => T;
};

type Options = PromptOptions<PromptFallback | undefined, PromptKind>;
type AnyPrompt = LibraryPrompt<Readonly<Record<string, unknown>>, PromptKind>;

/**
 * Fetches prompts and keeps them. What was fetched once is served from memory, also while the server is away; after
 * its time to live it is fetched again in the background. Concurrent requests for a prompt share one fetch.
 */
export const createPromptLibrary = ({ settings, transport, report, attachments, place, runWith }: Parts) => {
  const entries = new Map<string, Entry>();

  const fail = (entry: Entry, problem: string): void => {
    entry.failures++;
    entry.problem = problem;
    entry.retryAt = performance.now() + backoff(entry.failures);
    if (entry.failures > 1 || entry.fetched === null) return;
    const message = `${entry.what} could not be fetched again (${problem}); the one in memory is used`;
    report({ kind: 'unreachable', events: 0, message });
  };

  const load = async (entry: Entry): Promise<void> => {
    const { answer, etag } = await transport.prompt(entry.path, entry.etag);
    if (answer.status === 200 || answer.status === 304) {
      const fetched = answer.status === 200 ? readFetched(answer.body) : entry.fetched;
      if (fetched === null) return fail(entry, 'the reply is not a prompt');
      Object.assign(entry, { fetched, freshAt: performance.now(), failures: 0, problem: null, retryAt: 0 });
      if (answer.status === 200) entry.etag = etag;
      return;
    }
    fail(
      entry,
      answer.status === null ? `${settings.baseUrl} cannot be reached: ${answer.reason}` : reasonOf(answer),
    );
  };

  const refresh = (entry: Entry): Promise<void> => {
    entry.running ??= load(entry).finally(() => {
      entry.running = null;
    });
    return entry.running;
  };

  const entryOf = (name: string, { label, version }: Options): Entry => {
    const key = JSON.stringify([name, label ?? null, version ?? null]);
    const known = entries.get(key);
    if (known !== undefined) return known;
    const query =
      version === undefined ? `label=${encodeURIComponent(label ?? 'production')}` : `version=${version}`;
    const entry: Entry = {
      path: `/v1/sdk/prompts/${encodeURIComponent(name)}?${query}&candidates=true`,
      what: `the prompt ${name}`,
      fetched: null,
      etag: null,
      freshAt: 0,
      failures: 0,
      problem: null,
      retryAt: 0,
      running: null,
    };
    const [oldest] = entries.size >= MAX_PROMPTS ? entries.keys() : [];
    if (oldest !== undefined) entries.delete(oldest);
    entries.set(key, entry);
    return entry;
  };

  const keyOf = (options: Options): string => {
    const { user_id, session_id } = place()?.inherited ?? {};
    return options.stickyKey ?? user_id ?? session_id ?? String(Math.random());
  };

  const toPrompt = (name: string, options: Options, type: PromptKind, version: ReadyVersion): AnyPrompt => {
    const source = { prompt_name: name, prompt_version: String(version.version ?? 'fallback') };
    return {
      name,
      version: version.version,
      label: options.version === undefined ? (options.label ?? 'production') : null,
      type,
      config: version.config,
      variables: version.variables,
      isFallback: version.version === null,
      compile(values = {}): string & PromptMessage[] {
        const texts = fillVersion(version, values);
        attachments.remember(texts, source);
        const { roles } = version;
        const compiled =
          roles === null
            ? (texts[0] ?? '')
            : texts.map((content, i) => ({ role: roles[i] ?? 'user', content }));
        return compiled as string & PromptMessage[];
      },
      run: (fn) => runWith(source, fn),
    };
  };

  const wantedType = ({ type, fallback }: Options): PromptKind =>
    type ?? (fallback === undefined ? 'text' : readFallback(fallback).type);

  const serve = (name: string, options: Options, { type, versions }: Fetched): AnyPrompt => {
    const [first] = versions;
    const chosen =
      versions.length === 1 && first !== undefined ? first : chooseVersion(versions, name, keyOf(options));
    const wanted = wantedType(options);
    if (type === wanted) return toPrompt(name, options, type, chosen);
    const problem = `the prompt ${name} is a ${type} prompt and not a ${wanted} prompt; pass type: '${type}'`;
    if (options.fallback === undefined) throw new Error(`spanledger: ${problem}`);
    report({ kind: 'configuration', events: 0, message: `${problem}; its fallback is used` });
    return toPrompt(name, options, wanted, readFallback(options.fallback).version);
  };

  const fallBack = (name: string, options: Options, problem: string): AnyPrompt => {
    if (options.fallback === undefined)
      throw new Error(
        `spanledger: the prompt ${name} could not be fetched: ${problem}; pass a fallback to go on without it`,
      );
    const { type, version } = readFallback(options.fallback);
    report({
      kind: 'unreachable',
      events: 0,
      message: `the fallback of the prompt ${name} is used: ${problem}`,
    });
    return toPrompt(name, options, type, version);
  };

  return async (name: string, options: Options = {}): Promise<AnyPrompt> => {
    if (!settings.enabled || settings.apiKey === undefined)
      return fallBack(name, options, settings.enabled ? 'there is no API key' : 'the client is turned off');
    const entry = entryOf(name, options);
    const now = performance.now();
    if (entry.fetched !== null) {
      const isStale = now > entry.freshAt + (options.ttl ?? TTL_MS);
      if (isStale && now >= entry.retryAt) void refresh(entry);
      return serve(name, options, entry.fetched);
    }
    const isPaused = now < entry.retryAt;
    if (!isPaused || options.fallback === undefined) {
      const fetching = refresh(entry);
      if (options.fallback === undefined) await fetching;
      else await atMost(fetching, FIRST_WAIT_MS);
    }
    if (entry.fetched !== null) return serve(name, options, entry.fetched);
    return fallBack(name, options, entry.problem ?? `${settings.baseUrl} did not answer in time`);
  };
};

const reasonOf = ({ status, body }: { readonly status: number; readonly body: unknown }): string => {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' ? `${error} (${status})` : `status ${status}`;
};

const atMost = async (work: Promise<void>, ms: number): Promise<void> => {
  const { passed, clear } = deadline(ms, false);
  await Promise.race([work, passed]);
  clear();
};
