import type { Live } from '../live.ts';
import { type ApplyMask, MASKED_TEXTS } from '../mask.ts';
import { clip } from './clip.ts';
import { FIELD_LIMITS, OMITTED, type SnapshotLimits, snapshot } from './snapshot.ts';

/**
 * Limits of a line and of a body, in bytes. The server accepts 1 MB of either, and gzip adds almost nothing, so a
 * body of this size is never refused for its size.
 */
export const MAX_BYTES = 900_000;

/** Prompts and completions beyond these limits are sent as JSON text, cut at the end. */
export const CONTENT_LIMITS: SnapshotLimits = { depth: 26, keys: 120, characters: 300_000 };
const CONTENT_CHARACTERS = 200_000;

type Fields = Record<string, unknown>;

const encoder = new TextEncoder();

/** A prompt or completion that is acceptable to the server. Long conversations exceed an event's limit of keys. */
const content = (value: unknown, mask?: (text: string) => string): unknown => {
  const copied = snapshot(value, CONTENT_LIMITS, { mask });
  const text = typeof copied === 'string' ? copied : (JSON.stringify(copied) ?? 'null');
  if (!text.includes(OMITTED)) return copied;
  const limits = { depth: 100, keys: 20_000, characters: CONTENT_CHARACTERS };
  const whole = snapshot(value, limits, { mask });
  return JSON.stringify(whole).slice(0, CONTENT_CHARACTERS);
};

/** Copies tags, metadata and usage, so that the caller may change the originals. Texts are cut later, after the mask. */
export const holdFields = (fields: Fields, live: Live): Fields =>
  takeFields(fields, live, { limits: { ...FIELD_LIMITS, characters: Number.POSITIVE_INFINITY } });

/** Copies tags, metadata and usage with sensitive values redacted and texts masked, within the limits of an event. */
export const takeFields = (
  fields: Fields,
  live: Live,
  { mask, limits = FIELD_LIMITS }: { mask?: ApplyMask | undefined; limits?: SnapshotLimits } = {},
): Fields => {
  const taken: Fields = { ...fields };
  for (const name of ['tags', 'metadata', 'usage']) {
    if (taken[name] === undefined) continue;
    // The words in `usage` are the provider's, and decide the price.
    const changes = { hide: live.isSensitive, mask: name === 'usage' ? undefined : maskOf(name, mask) };
    taken[name] = snapshot(taken[name], limits, changes);
  }
  return taken;
};

const maskOf = (name: string, mask: ApplyMask | undefined) =>
  mask && ((text: string): string => mask(text, name));

/** Masks the texts of an event that are not in objects. */
export const maskTexts = (fields: Fields, mask: ApplyMask): Fields => {
  const masked: Fields = { ...fields };
  for (const name of MASKED_TEXTS) {
    const text = masked[name];
    if (typeof text === 'string') masked[name] = mask(text, name);
  }
  return masked;
};

/** Serialises an event as one line of NDJSON. Fields that make it too long are dropped and named in `metadata.omitted`. */
export const writeLine = (event: Fields, live: Live, mask?: ApplyMask): Uint8Array => {
  const written: Fields = { ...event };
  for (const name of ['input', 'output']) {
    if (!live.storePrompts) delete written[name];
    else if (written[name] !== undefined) written[name] = content(written[name], maskOf(name, mask));
  }
  clip(written);
  const bytes = encoder.encode(JSON.stringify(written));
  return bytes.length > MAX_BYTES ? shorten(written) : bytes;
};

const shorten = (event: Fields): Uint8Array => {
  const omitted: string[] = [];
  for (const name of ['output', 'input', 'metadata', 'usage', 'tags']) {
    if (event[name] === undefined) continue;
    delete event[name];
    omitted.push(name);
    const metadata = { ...((event.metadata as object | undefined) ?? {}), omitted };
    const bytes = encoder.encode(JSON.stringify({ ...event, metadata }));
    if (bytes.length <= MAX_BYTES) return bytes;
  }
  return encoder.encode(JSON.stringify(event));
};

/** Rewrites a line for stricter settings than those it was written with. Its texts are masked already. */
export const rewriteLine = (bytes: Uint8Array, live: Live): Uint8Array => {
  const event = JSON.parse(new TextDecoder().decode(bytes)) as Fields;
  return writeLine(takeFields(event, live), live);
};
