import { AppError } from '../../errors.ts';
import {
  type BodyEncoding,
  type BodyLimits,
  checkLength,
  sniffedCoding,
  statedCoding,
} from './body-limits.ts';
import { createProgress, type Progress } from './progress.ts';

/** A body as sent, and its content coding, if any. */
export type SentBody = { readonly bytes: Uint8Array; readonly coding: BodyEncoding | null };

/** How a body is followed while it arrives. */
export type Receiving = {
  /** Learns of the bytes that arrived. What it throws ends the transfer and becomes the reply. */
  readonly onBytes?: (count: number) => void;
  /** Ends the transfer; its reason becomes the reply. */
  readonly signal?: AbortSignal;
};

/** Declared bodies up to this size are read at once; larger ones are counted as they arrive. */
const AT_ONCE = 65_536;
const EMPTY = new Uint8Array(0);

/**
 * Receives a request's body without decompressing it. Without a Content-Encoding header, gzip is recognised by its
 * first bytes. A body that arrives too slowly is cut, so that it cannot hold memory and a place for long.
 * @throws AppError 413 over the limit of its coding, 415 for another coding, 408 for a body that does not progress,
 * 400 if the sender ends it early, and what `onBytes` throws
 */
export async function receiveBody(
  request: Request,
  limits: BodyLimits,
  { onBytes = () => {}, signal }: Receiving = {},
): Promise<SentBody> {
  const stated = statedCoding(request.headers, limits);
  const declared = request.headers.get('content-length');
  if (declared !== null) checkLength(Number(declared), stated, limits);
  const progress = createProgress(signal);
  try {
    const isSmall = declared !== null && Number(declared) <= AT_ONCE;
    const bytes = await (isSmall
      ? readAtOnce(request, progress)
      : readChunks(request.body, progress, (count, total, start) => {
          checkLength(total, stated ?? sniffedCoding(start, limits), limits);
          onBytes(count);
        }));
    const coding = stated ?? sniffedCoding(bytes, limits);
    if (isSmall) {
      checkLength(bytes.length, coding, limits);
      onBytes(bytes.length);
    }
    return { bytes, coding };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError(400, 'The body ended early', { cause });
  } finally {
    progress.end();
  }
}

/** The server enforces the declared length. */
async function readAtOnce(request: Request, progress: Progress): Promise<Uint8Array> {
  return new Uint8Array(await Promise.race([request.arrayBuffer(), progress.cut]));
}

type Check = (count: number, total: number, start: Uint8Array) => void;

/** Reads chunk by chunk and stops as soon as `check` throws or the transfer is cut. */
async function readChunks(
  body: ReadableStream<Uint8Array> | null,
  progress: Progress,
  check: Check,
): Promise<Uint8Array> {
  if (body === null) return EMPTY;
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), progress.cut]);
      if (done) return concat(chunks, length);
      chunks.push(value);
      length += value.length;
      progress.add(value.length);
      check(value.length, length, chunks[0] ?? value);
    }
  } catch (error) {
    // Not awaited, because the sender decides when its side closes.
    reader.cancel().catch(() => undefined);
    throw error;
  }
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
