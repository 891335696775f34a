import { type ParseContext, type ParsedEvent, parseEvent, withoutContent } from '../../core/events/index.ts';
import type { RefusedLine } from '../../core/quarantine/index.ts';
import { badRequest } from '../../errors.ts';
import type { Pause } from '../../http/intake.ts';
import { splitNdjson } from '../../lib/ndjson.ts';
import { MAX_BATCH_EVENTS } from './contract.ts';

/** The valid events of a body and its refused lines. */
export type Batch = { events: ParsedEvent[]; refused: RefusedLine[]; warnings: Map<string, Warning> };

/** What the sender should know of fields, with the first line and the number of lines that have it. */
type Warning = { readonly line: number; lines: number };

const MAX_LINE_BYTES = 1_048_576;
/** Longer refused lines are reported but not kept. */
const MAX_KEPT_BYTES = 16_384;

/**
 * Parses NDJSON line by line; an invalid line does not affect valid ones. Throws 400 for more than 100 events and for
 * a body without any.
 * @param pause lets other requests run between two lines
 */
export async function readBatch(bytes: Uint8Array, ctx: ParseContext, pause: Pause): Promise<Batch> {
  const lines = splitNdjson(bytes, { maxLines: MAX_BATCH_EVENTS, maxLineBytes: MAX_LINE_BYTES });
  if (lines === null) throw badRequest(`Max ${MAX_BATCH_EVENTS} events per batch`);
  if (lines.length === 0) throw badRequest('The body contains no events: send one JSON object per line');
  const batch: Batch = { events: [], refused: [], warnings: new Map() };
  for (const line of lines) {
    await pause();
    if ('error' in line) batch.refused.push({ line: line.line, error: line.error, body: null });
    else readLine(batch, line.line, line.text, ctx);
  }
  if (batch.events.length === 0 && isOneValue(bytes, lines.length))
    throw badRequest('The body is one JSON value over several lines: send each event on a line of its own');
  return batch;
}

/** A longer body is not read again only to say what is wrong with it. */
const MAX_READ_AGAIN = 65_536;

function isOneValue(bytes: Uint8Array, lines: number): boolean {
  if (lines === 1 || bytes.length > MAX_READ_AGAIN) return false;
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

function readLine(batch: Batch, line: number, text: string, ctx: ParseContext): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    batch.refused.push({ line, error: 'is not valid JSON', body: null });
    return;
  }
  const result = parseEvent(value, ctx);
  if (result.ok) {
    batch.events.push(result.event);
    for (const warning of result.warnings) noteWarning(batch.warnings, line, warning);
  } else batch.refused.push({ line, error: result.error, body: keptBody(value, text, ctx) });
}

/** More kinds of warnings are not reported. */
const MAX_WARNINGS = 10;

function noteWarning(warnings: Batch['warnings'], line: number, message: string): void {
  const known = warnings.get(message);
  if (known !== undefined) known.lines++;
  else if (warnings.size < MAX_WARNINGS) warnings.set(message, { line, lines: 1 });
}

/** The stored form of a refused event: redacted, and without prompts unless the project stores them. */
function keptBody(value: unknown, text: string, ctx: ParseContext): string | null {
  if (text.length > MAX_KEPT_BYTES || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return null;
  }
  const event = value as Record<string, unknown>;
  return JSON.stringify(ctx.redact(ctx.storePrompts ? event : withoutContent(event)));
}
