import { Writer } from 'protobufjs/minimal.js';
import { CONTENT_TYPES, type Encoding } from './read/read-request.ts';
import type { RefusedSpan } from './read/span.ts';

const SHOWN = 3;

/**
 * The reply 202 in the encoding of the request: `{}` or an empty body, which every exporter accepts, or a partial
 * success (opentelemetry-proto, ExportTracePartialSuccess).
 */
export function traceReply(encoding: Encoding, refused: readonly RefusedSpan[]): Response {
  const headers = { 'Content-Type': CONTENT_TYPES[encoding] };
  const body = refused.length === 0 ? successBody(encoding) : partialBody(encoding, refused);
  return new Response(body, { status: 202, headers });
}

const successBody = (encoding: Encoding): string => (encoding === 'json' ? '{}' : '');

function partialBody(encoding: Encoding, refused: readonly RefusedSpan[]): string | Uint8Array<ArrayBuffer> {
  const errorMessage = describe(refused);
  if (encoding === 'json') {
    return JSON.stringify({ partialSuccess: { rejectedSpans: String(refused.length), errorMessage } });
  }
  const partial = Writer.create().uint32(8).uint32(refused.length).uint32(18).string(errorMessage).finish();
  return new Uint8Array(Writer.create().uint32(10).bytes(partial).finish());
}

/** Describes the first refusals; all of them are in the quarantine. */
function describe(refused: readonly RefusedSpan[]): string {
  const shown = refused.slice(0, SHOWN).map(({ line, error }) => `span ${line}: ${error}`);
  const more = refused.length - shown.length;
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
