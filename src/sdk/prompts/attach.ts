import type { Prompt } from '../prompt.ts';

/** Which prompt of the library a text came from. */
export type PromptSource = { readonly prompt_name: string; readonly prompt_version: string };

/** Compiled prompts that are remembered, and their characters. */
const MAX_TEXTS = 1_000;
const MAX_CHARACTERS = 8_000_000;
/** A call follows soon after its prompt was compiled. */
const KEPT_MS = 10 * 60_000;
/** Texts of one call that are looked at. */
const MAX_LOOKED_AT = 500;

type Compiled = { readonly texts: readonly string[]; readonly source: PromptSource; readonly at: number };

/**
 * Recognises calls that are made with a compiled prompt by its texts, so that all wrappers attach name and version in
 * the same way, whatever form they give to messages.
 */
export type Attachments = {
  remember(texts: readonly string[], source: PromptSource): void;
  /** The prompt whose texts are all among those of a call; undefined if there is none. */
  find(prompt: Prompt): PromptSource | undefined;
};

export const createAttachments = (): Attachments => {
  const byText = new Map<string, Compiled>();
  let characters = 0;

  const forget = (text: string): void => {
    if (byText.delete(text)) characters -= text.length;
  };

  return {
    remember(given, source) {
      const texts = given.filter((text) => text !== '');
      const longest = texts.reduce((a, b) => (b.length > a.length ? b : a), '');
      if (longest === '' || longest.length > MAX_CHARACTERS) return;
      forget(longest);
      byText.set(longest, { texts, source, at: Date.now() });
      characters += longest.length;
      for (const oldest of byText.keys()) {
        if (byText.size <= MAX_TEXTS && characters <= MAX_CHARACTERS) break;
        forget(oldest);
      }
    },
    find(prompt) {
      if (byText.size === 0) return undefined;
      const texts = new Set<string>();
      collectTexts([prompt.system, prompt.messages], texts, 0);
      const since = Date.now() - KEPT_MS;
      let best: Compiled | undefined;
      for (const text of texts) {
        const found = byText.get(text);
        if (found === undefined || found.at < since || !found.texts.every((one) => texts.has(one))) continue;
        if (best === undefined || lengthOf(found) >= lengthOf(best)) best = found;
      }
      return best?.source;
    },
  };
};

const lengthOf = ({ texts }: Compiled): number => texts.reduce((sum, { length }) => sum + length, 0);

/** Messages of all providers: texts, lists, and objects with `content`, `parts` or `text`. */
const collectTexts = (value: unknown, into: Set<string>, depth: number): void => {
  if (into.size >= MAX_LOOKED_AT || depth > 6) return;
  if (typeof value === 'string') into.add(value);
  else if (Array.isArray(value)) for (const one of value) collectTexts(one, into, depth + 1);
  else if (typeof value === 'object' && value !== null) {
    const { content, parts, text, kwargs } = value as Readonly<Record<string, unknown>>;
    for (const one of [content, parts, text, kwargs])
      if (one !== undefined) collectTexts(one, into, depth + 1);
  }
};
