/** A non-blank line: its number in the file, from 1, with its text or its error. */
export type NdjsonLine =
  | { readonly line: number; readonly text: string }
  | { readonly line: number; readonly error: string };

/** `maxLines` counts non-blank lines; `maxLineBytes` excludes the line end. */
export type NdjsonLimits = { readonly maxLines: number; readonly maxLineBytes: number };

const LINE_FEED = 10;

/** Space, tab and carriage return: the white space that JSON allows within a line. */
const isBlank = (byte: number | undefined): boolean => byte === 32 || byte === 9 || byte === 13;

const startsWithBom = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** Number, start and end of a non-blank line, without surrounding white space. */
type Span = { readonly line: number; readonly start: number; readonly end: number };

const findLines = (bytes: Uint8Array, maxLines: number): Span[] | null => {
  const spans: Span[] = [];
  let next = startsWithBom(bytes) ? 3 : 0;
  for (let line = 1; next < bytes.length; line++) {
    let start = next;
    const feed = bytes.indexOf(LINE_FEED, start);
    let end = feed === -1 ? bytes.length : feed;
    next = end + 1;
    while (start < end && isBlank(bytes[start])) start++;
    while (end > start && isBlank(bytes[end - 1])) end--;
    if (start === end) continue;
    if (spans.length === maxLines) return null;
    spans.push({ line, start, end });
  }
  return spans;
};

/**
 * Splits newline-delimited JSON (https://github.com/ndjson/ndjson-spec) into lines without parsing them. Blank
 * lines are skipped but numbered; `\r\n` and a leading byte order mark are accepted. A line that is too long or not
 * UTF-8 does not affect the others.
 *
 * `Bun.JSONL.parse` does not work here: it silently drops everything after an invalid line.
 * @returns the non-blank lines, or null if there are more than `maxLines`; then none is decoded.
 */
export const splitNdjson = (bytes: Uint8Array, limits: NdjsonLimits): NdjsonLine[] | null => {
  const spans = findLines(bytes, limits.maxLines);
  if (spans === null) return null;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return spans.map(({ line, start, end }) => {
    if (end - start > limits.maxLineBytes) {
      return { line, error: `is longer than ${limits.maxLineBytes} bytes` };
    }
    try {
      return { line, text: decoder.decode(bytes.subarray(start, end)) };
    } catch {
      return { line, error: 'is not valid UTF-8' };
    }
  });
};
