import type { Live } from '../live.ts';
import { clip } from './clip.ts';
import { FIELD_LIMITS, OMITTED, type SnapshotLimits, snapshot } from './snapshot.ts';

/**
 * Longest line and largest body that are sent, in bytes. The server takes 1 MB of either, and gzip makes
 * nothing noticeably larger: a body of this size is never refused for it.
 */
export const MAX_BYTES = 900_000;

/** Prompt and completion beyond these bounds go as JSON text, cut at the end. */
const CONTENT_LIMITS: SnapshotLimits = { depth: 26, keys: 120, characters: 300_000 };
const CONTENT_CHARACTERS = 200_000;

type Fields = Record<string, unknown>;

const encoder = new TextEncoder();

/** A prompt or completion as it may be sent. A long conversation has more keys than an event may have. */
const content = (value: unknown): unknown => {
  const copied = snapshot(value, CONTENT_LIMITS);
  const text = typeof copied === 'string' ? copied : (JSON.stringify(copied) ?? 'null');
  if (!text.includes(OMITTED)) return copied;
  const whole = snapshot(value, { depth: 100, keys: 20_000, characters: CONTENT_CHARACTERS });
  return JSON.stringify(whole).slice(0, CONTENT_CHARACTERS);
};

/** Copies tags, metadata and usage with sensitive values withheld, so that the original may change. */
export const takeFields = (fields: Fields, live: Live): Fields => {
  const taken: Fields = { ...fields };
  for (const name of ['tags', 'metadata', 'usage']) {
    if (taken[name] !== undefined) taken[name] = snapshot(taken[name], FIELD_LIMITS, live.isSensitive);
  }
  return taken;
};

/** An event as a line of NDJSON. What makes it too long is left out, and `metadata.omitted` says so. */
export const writeLine = (event: Fields, live: Live): Uint8Array => {
  const written: Fields = { ...event };
  for (const name of ['input', 'output']) {
    if (!live.storePrompts) delete written[name];
    else if (written[name] !== undefined) written[name] = content(written[name]);
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

/** The same event under stricter settings than those it was written under. */
export const rewriteLine = (bytes: Uint8Array, live: Live): Uint8Array => {
  const event = JSON.parse(new TextDecoder().decode(bytes)) as Fields;
  return writeLine(takeFields(event, live), live);
};
