import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Ctx, listService, type Service } from '../../../context.ts';
import { namesTag } from '../../../http/entity-tag.ts';
import { Reply } from '../../../http/reply.ts';
import { JsonText } from '../../../lib/json-text.ts';
import { chooseVersion } from '../../../lib/prompts/choose-version.ts';
import type { CompiledPrompt, CompiledQuery } from '../contract.ts';
import { type CompiledVersions, compileVersions, type PromptPlace } from './compile-prompt.ts';

/** Replies in memory: their number and their size in characters. */
const MAX_KEPT = 20_000;
const MAX_CHARACTERS = 32_000_000;

type Ready = { readonly body: string; readonly etag: string };
/** One prompt at a label or a version, with each reply that was made of it. */
type Kept = {
  readonly versions: CompiledVersions;
  readonly replies: Map<string, Ready>;
};

type CompiledCache = {
  get(projectId: string, place: PromptPlace): Promise<Kept>;
  drop(projectId: string): void;
};

const cache: Service<CompiledCache> = { name: 'prompts.compiled', open: openCache };
export const compiledServices = [listService(cache)];

/** Replies stay until a change of the project: only the process that holds the file's lock can make one. */
function openCache(ctx: Ctx): CompiledCache {
  const kept = new LRUCache<string, Kept>({
    max: MAX_KEPT,
    maxSize: MAX_CHARACTERS,
    // The text, and once more as a reply.
    sizeCalculation: ({ versions }) => 2 * JSON.stringify(versions).length + 500,
  });
  const loading = new Map<string, Promise<Kept>>();
  let generation = 0;

  async function load(key: string, projectId: string, place: PromptPlace): Promise<Kept> {
    const started = generation;
    const one = { versions: await compileVersions(ctx, projectId, place), replies: new Map() };
    // What was read before a change must not be kept after it.
    if (generation === started) kept.set(key, one);
    return one;
  }

  return {
    async get(projectId, place) {
      const key = JSON.stringify([projectId, place.name, place.label ?? null, place.version ?? null]);
      const found = kept.get(key);
      if (found !== undefined) return found;
      const running = loading.get(key);
      if (running !== undefined) return running;
      const started = load(key, projectId, place).finally(() => {
        if (loading.get(key) === started) loading.delete(key);
      });
      loading.set(key, started);
      return started;
    },
    drop(projectId) {
      generation++;
      for (const key of loading.keys()) if (isOf(key, projectId)) loading.delete(key);
      for (const key of kept.keys()) if (isOf(key, projectId)) kept.delete(key);
    },
  };
}

const isOf = (key: string, projectId: string): boolean => key.startsWith(`[${JSON.stringify(projectId)},`);

/** Forgets the compiled prompts of a project after a change. */
export const dropCompiled = (ctx: Ctx, projectId: string): void => ctx.use(cache).drop(projectId);

type Asked = PromptPlace & Pick<CompiledQuery, 'stickyKey' | 'candidates'>;

/**
 * Answers a fetch of a compiled prompt, with an ETag; 304 if the client has this reply.
 * @throws AppError 404, and 409 for includes that cannot be resolved
 */
export async function serveCompiled(
  ctx: Ctx,
  projectId: string,
  { stickyKey, candidates, ...place }: Asked,
  request: Request,
): Promise<Reply<JsonText<CompiledPrompt>> | Response> {
  const kept = await ctx.use(cache).get(projectId, place);
  const all = candidates === 'true';
  const chosen = choose(kept.versions, all ? (stickyKey ?? '') : (stickyKey ?? String(Math.random())));
  const { body, etag } = readyReply(kept, chosen, all);
  const headers = {
    ETag: etag,
    'Cache-Control': 'private, no-cache',
    Vary: 'x-api-key, Authorization, Cookie',
  };
  if (namesTag(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers });
  return new Reply(200, new JsonText<CompiledPrompt>(body), headers);
}

type Candidate = CompiledVersions['candidates'][number];

function choose({ candidates, name }: CompiledVersions, key: string): Candidate {
  const [only, ...others] = candidates;
  return only !== undefined && others.length === 0 ? only : chooseVersion(candidates, name, key);
}

function readyReply({ versions, replies }: Kept, chosen: Candidate, all: boolean): Ready {
  const key = `${chosen.version} ${all}`;
  const found = replies.get(key);
  if (found !== undefined) return found;
  const reply = toReply(versions, chosen, all);
  const body = JSON.stringify(reply);
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  const made = { body, etag };
  replies.set(key, made);
  return made;
}

/** The reply of a fetch that gets `chosen`. `all`: with all versions of a split. */
export function toReply(
  { name, type, label, candidates }: CompiledVersions,
  chosen: Candidate,
  all: boolean,
): CompiledPrompt {
  const { weight, ...version } = chosen;
  const isSplit = candidates.length > 1;
  return {
    name,
    type,
    label,
    ...version,
    split: isSplit ? candidates.map((one) => ({ version: one.version, weight: one.weight })) : null,
    ...(all && isSplit ? { candidates: [...candidates] } : {}),
  };
}
