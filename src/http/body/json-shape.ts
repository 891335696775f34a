/** Deepest nesting of a body. */
const MAX_DEPTH = 100;
/** Most objects and arrays of a body: parsing that many takes 20 ms. */
const MAX_CONTAINERS = 100_000;
/** Shorter bodies are parsed in a moment, whatever they are. */
const SMALL = 16_384;

const [QUOTE, BACKSLASH, BRACE, BRACKET] = [0x22, 0x5c, 0x7b, 0x5b];
const [END_BRACE, END_BRACKET] = [0x7d, 0x5d];

/**
 * Says what of JSON text would take long to parse; null for the rest, also for text that is no JSON. Brackets alone take
 * the parser twenty times as long as text of the same size, and this reads them in a fiftieth of that.
 */
export function shapeProblem(bytes: Uint8Array): string | null {
  if (bytes.length <= SMALL) return null;
  let [depth, containers] = [0, 0];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) i = endOfString(bytes, i);
    else if (byte === END_BRACE || byte === END_BRACKET) depth--;
    else if (byte === BRACE || byte === BRACKET) {
      if (++depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
      if (++containers > MAX_CONTAINERS)
        return `has more than ${MAX_CONTAINERS.toLocaleString('en-US')} objects and arrays`;
    }
  }
  return null;
}

/** The place of the quote that ends the string which begins at `start`; the end of the bytes if there is none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let i = start + 1;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}
