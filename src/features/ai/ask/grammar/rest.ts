/** What stands in the place of text that was understood: no pattern matches across it. */
const DONE = '¦';

/** Text that a pattern took: its place, which gives the order of what was understood, and its groups. */
export type Taken = { readonly at: number; readonly text: string; readonly groups: readonly string[] };

/** What text was understood as. */
export type Kind =
  | 'name'
  | 'bound'
  | 'time'
  | 'bucket'
  | 'group'
  | 'rank'
  | 'measure'
  | 'comparison'
  | 'phrase';

/** A word that nothing has understood, or what stands in its place. */
export type Token = { readonly word: string } | { readonly kind: Kind };

/** The part of a question that nothing has understood yet. What is taken leaves its place empty. */
export class Rest {
  #text: string;
  readonly #kinds: (Kind | undefined)[] = [];
  /** What the text that is taken from now on is understood as. */
  kind: Kind = 'phrase';
  constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }

  /** Whether a pattern occurs. */
  has(pattern: RegExp): boolean {
    return pattern.test(this.#text);
  }

  /** Takes the first place that a pattern matches; null without one. */
  take(pattern: RegExp): Taken | null {
    const found = pattern.exec(this.#text);
    if (found === null) return null;
    this.remove(found.index, found[0].length);
    return { at: found.index, text: found[0], groups: found.slice(1).map((group) => group ?? '') };
  }

  remove(at: number, length: number): void {
    this.#text = this.#text.slice(0, at) + DONE.repeat(length) + this.#text.slice(at + length);
    for (let place = at; place < at + length; place++) this.#kinds[place] = this.kind;
  }

  /** The question in order: words that are left, and what the others were understood as. */
  tokens(): Token[] {
    const tokens: Token[] = [];
    for (const { 0: text, index } of this.#text.matchAll(/¦+|,|[^\s¦,;:()]+/g))
      if (text.startsWith(DONE)) tokens.push(...this.#kindsFrom(index, text.length));
      else if (text === ',' || /[\p{L}\p{N}§$%&+*/=<>–-]/u.test(text)) tokens.push({ word: text });
    return tokens;
  }

  #kindsFrom(at: number, length: number): Token[] {
    const kinds = this.#kinds.slice(at, at + length);
    return kinds.flatMap((kind, place) =>
      kind !== undefined && kind !== kinds[place - 1] ? [{ kind }] : [],
    );
  }
}

/** A question in lower case, with plain quotes, without marks at the end and possessives. */
export const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}§¦]/gu, ' ')
    .replaceAll(/[‘’`]/g, "'")
    .replaceAll(/[“”„«»]/g, '"')
    .toLowerCase()
    .replaceAll(/\b(what|who|how|where|that|there)'s\b/g, '$1 is')
    .replaceAll(/\bi'd\b/g, 'i would')
    .replaceAll(/'s\b|(?<=s)'(?=\s|$)/g, '')
    .replaceAll(/[?!]+|\.(?=\s|$)/g, ' ')
    .replaceAll(/,(?!\d)/g, ' , ')
    .replaceAll(/\s+/g, ' ')
    .trim();
