import { BUILT_IN, providerOf } from './catalogue.ts';
import { findModel } from './find-model.ts';
import { createMemo } from './memo.ts';

/** Regions and makers in front of Bedrock's ids: `us.anthropic.claude-…`. */
const PREFIX = /^(?:(?:us|eu|apac|au|jp|ca|global|regional)\.)?(?:[a-z][a-z0-9]*\.)?(?=[a-z])/;
const DATE = /[-_ @]20\d{2}-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])(?!\d)/g;
const REVISION = /(?:[-_ ]v\d+)?:\d+$|-v\d+$/;
/** Words that one spelling of a name has and another lacks. */
const FILLERS: ReadonlySet<string> = new Set([
  ...['amazon', 'anthropic', 'google', 'meta', 'preview', 'latest', 'instruct', 'model', 'edition'],
]);

/**
 * What the spellings of a model's name have in common: its words in any order and its numbers in theirs. An invoice
 * says `Claude Haiku 4.5` or `Claude3Sonnet`, a call `claude-haiku-4-5-20251001` or `us.anthropic.claude-3-sonnet…`.
 */
export function modelWords(name: string): string {
  const plain = name
    .trim()
    .replaceAll(/([a-z])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .replace(PREFIX, '')
    .replaceAll(DATE, '')
    .replace(REVISION, '');
  const words = (plain.match(/[a-z]+/g) ?? []).filter((word) => !FILLERS.has(word)).sort();
  return `${words.join(' ')}|${(plain.match(/\d+/g) ?? []).map(Number).join(' ')}`;
}

type Named = { readonly provider: string; readonly model: string };

const memo = createMemo<{ readonly found: Named | null }>(5_000);
const byWords = createMemo<ReadonlyMap<string, string>>(100);

/** A model of the built-in catalogue by the name that an invoice shows people; null if there is none. */
export function modelByDisplayName(provider: string, name: string): Named | null {
  const key = `${provider} ${name}`;
  const known = memo.get(key);
  if (known !== undefined) return known.found;
  const id = wordsOf(provider).get(modelWords(name));
  const found = id === undefined ? null : { provider, model: canonicalId(provider, id) };
  memo.set(key, { found });
  return found;
}

function canonicalId(provider: string, id: string): string {
  const found = findModel(BUILT_IN, provider, id);
  return typeof found === 'string' ? id : found.model.id;
}

/** The ids of a provider's models, and of those that it resells, by the words of their ids and names. */
function wordsOf(provider: string): ReadonlyMap<string, string> {
  const known = byWords.get(provider);
  if (known !== undefined) return known;
  const made = new Map<string, string>();
  const own = providerOf(BUILT_IN, provider);
  const sellers = [own, ...(own?.fallback_model_providers ?? []).map((id) => providerOf(BUILT_IN, id))];
  for (const spelling of ['name', 'id'] as const)
    for (const seller of sellers)
      for (const model of seller?.models ?? []) {
        const words = modelWords(model[spelling] ?? model.id);
        if (!made.has(words)) made.set(words, model.id);
      }
  byWords.set(provider, made);
  return made;
}
