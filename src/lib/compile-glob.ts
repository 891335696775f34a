/** Whether a text matches. */
type Matcher = (text: string) => boolean;
/** The end of a piece's first occurrence in `text` between `from` and `end`, or -1. */
type Finder = (text: string, from: number, end: number) => number;

/**
 * Compiles a pattern in which `*` stands for any characters and `?` for one. Between two stars the leftmost occurrence
 * of a piece is always the right one, so the text is read once, whatever the pattern: nothing is tried again.
 */
export function compileGlob(pattern: string): Matcher {
  const [head = '', ...rest] = pattern.split(/\*+/);
  const tail = rest.pop();
  if (tail === undefined) return (text) => text.length === head.length && fits(head, text, 0);
  const middle = rest.map(finderOf);
  const least = head.length + tail.length;
  return (text) => {
    const end = text.length - tail.length;
    if (text.length < least || !fits(head, text, 0) || !fits(tail, text, end)) return false;
    let at = head.length;
    for (const find of middle) {
      at = find(text, at, end);
      if (at < 0) return false;
    }
    return true;
  };
}

/** Whether a piece stands at a place of a text that is long enough. */
function fits(piece: string, text: string, at: number): boolean {
  for (let i = 0; i < piece.length; i++) if (piece[i] !== '?' && piece[i] !== text[at + i]) return false;
  return true;
}

const finderOf = (piece: string): Finder => (piece.includes('?') ? wildFinder(piece) : literalFinder(piece));

function literalFinder(piece: string): Finder {
  return (text, from, end) => {
    const at = text.indexOf(piece, from);
    return at < 0 || at + piece.length > end ? -1 : at + piece.length;
  };
}

/** Source: Baeza-Yates and Gonnet, "A new approach to text searching" (Shift-And), with 32 characters per word. */
function wildFinder(piece: string): Finder {
  const words = Math.ceil(piece.length / 32);
  const { any, masks } = masksOf(piece, words);
  const last = 1 << ((piece.length - 1) % 32);
  // Bit i is set if the last i + 1 characters match the piece's first i + 1.
  const state = new Int32Array(words);
  return (text, from, end) => {
    state.fill(0);
    for (let at = from; at < end; at++) {
      const mask = masks.get(text[at] ?? '') ?? any;
      let carry = 1;
      for (let word = 0; word < words; word++) {
        const before = state[word] ?? 0;
        state[word] = ((before << 1) | carry) & (mask[word] ?? 0);
        carry = before >>> 31;
      }
      if (((state[words - 1] ?? 0) & last) !== 0) return at + 1;
    }
    return -1;
  };
}

/** For each character the places of the piece where it may stand, as bits; `any` for those that the piece lacks. */
function masksOf(piece: string, words: number): { any: Int32Array; masks: Map<string, Int32Array> } {
  const places = (fit: (character: string) => boolean): Int32Array => {
    const bits = new Int32Array(words);
    for (let i = 0; i < piece.length; i++)
      if (fit(piece[i] ?? '')) bits[i >> 5] = (bits[i >> 5] ?? 0) | (1 << (i % 32));
    return bits;
  };
  const named = new Set(piece.split('').filter((character) => character !== '?'));
  return {
    any: places((character) => character === '?'),
    masks: new Map(
      [...named].map((one) => [one, places((character) => character === '?' || character === one)]),
    ),
  };
}
