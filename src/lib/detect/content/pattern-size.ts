/**
 * About how many parts a pattern has when its repetitions are written out, as the compiler does: `(ab){3}` has six. It is
 * known without compiling, because that takes a second for the worst patterns of a thousand characters. A class of Unicode
 * such as `\pL` has hundreds of ranges, which are read once however often it is repeated.
 */
export function patternSize(source: string): number {
  return writtenOut(source) + UNICODE_CLASS * (source.match(/\\p/gi)?.length ?? 0);
}

const UNICODE_CLASS = 30;

function writtenOut(source: string): number {
  const outer: number[] = [];
  let [size, last] = [0, 0];
  const add = (part: number): void => {
    last = part;
    size += part;
  };
  for (let i = 0; i < source.length; i++) {
    const char = source[i];
    const found = repetition(source, i);
    if (char === '\\') i++;
    if (char === '(') {
      const opening = /^\(\?[\w<-]*([:>)])/.exec(source.slice(i, i + 100));
      i += (opening?.[0].length ?? 1) - 1;
      // Flags such as `(?i)` are no group.
      if (opening?.[1] === ')') continue;
      outer.push(size);
      size = 0;
    } else if (char === ')') {
      const group = size;
      size = outer.pop() ?? 0;
      add(Math.max(1, group));
    } else if (found !== null) {
      const { times, length } = found;
      size += last * (times - 1);
      last *= times;
      i += length - 1;
    } else {
      if (char === '[') i = endOfClass(source, i);
      add(1);
    }
  }
  return outer.reduce((sum, part) => sum + part, size);
}

/** Most repetitions that a `{n}`, `{n,}` or `{n,m}` asks for, and its length; null if none begins here. */
function repetition(source: string, at: number): { readonly times: number; readonly length: number } | null {
  if (source[at] !== '{') return null;
  const found = /^\{(\d{1,4})(?:,(\d{0,4}))?\}/.exec(source.slice(at, at + 12));
  if (found === null) return null;
  const [text, least, most] = found;
  return {
    times: Math.max(1, Number(most === undefined || most === '' ? least : most)),
    length: text.length,
  };
}

/** The place of the bracket that ends a class, whose first member may be a bracket. */
function endOfClass(source: string, start: number): number {
  let i = start + (source[start + 1] === '^' ? 2 : 1);
  if (source[i] === ']') i++;
  while (i < source.length && source[i] !== ']') i += source[i] === '\\' ? 2 : 1;
  return i;
}
