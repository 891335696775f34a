import { type Catalogue, providerOf } from './catalogue.ts';
import { idOfSpelling } from './provider-spellings.ts';

/** Suffixes with which the Vercel AI SDK distinguishes a provider's interfaces: `openai.responses`. */
const INTERFACE = /\.(?:chat|responses|messages|completion|embedding|image|speech|transcription)s?$/;

/**
 * The catalogue's id of a provider, or null if unknown. Only whole names match. The catalogue's own search matches any
 * name that contains `openai`, which would give resellers OpenAI's prices.
 */
export function catalogueProvider(catalogue: Catalogue, name: string): string | null {
  const plain = name.trim().toLowerCase().replace(INTERFACE, '');
  const spelled = idOfSpelling(plain);
  if (spelled !== undefined) return spelled;
  const id = plain.replace(/[._ ]/g, '-');
  return [plain, id].find((spelling) => providerOf(catalogue, spelling) !== undefined) ?? null;
}
