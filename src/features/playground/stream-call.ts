import type { Ctx } from '../../context.ts';
import type { CallPart } from '../../core/models/contract.ts';
import { callModel, type ModelCall } from '../../core/models/index.ts';

/** A comment keeps the connection from being closed as idle. */
const KEEP_ALIVE_MS = 5_000;

/**
 * Makes a call and replies with its parts as server-sent events. The reply begins when the call is allowed. Whoever ends
 * the request ends the call.
 * @throws AppError as `callModel`
 */
export async function streamCall(ctx: Ctx, call: ModelCall, left: AbortSignal): Promise<Response> {
  const stop = new AbortController();
  const { promise: allowed, resolve, reject } = Promise.withResolvers<void>();
  let isStarted = false;
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const send = (text: string): void => controller?.enqueue(encoder.encode(text));
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: () => {
      controller = null;
      stop.abort('cancelled');
    },
  });
  const onPart = (part: CallPart): void => {
    if (part.type === 'started') {
      isStarted = true;
      resolve();
    }
    send(`data: ${JSON.stringify(part)}\n\n`);
  };
  const alive = setInterval(() => send(': keep-alive\n\n'), KEEP_ALIVE_MS);
  callModel(ctx, call, { signal: AbortSignal.any([left, stop.signal]), onPart })
    .catch((error: unknown) => {
      if (!isStarted) return reject(error);
      // After its start a call fails only if its event cannot be stored; the reservation stays and is recovered.
      ctx.log.error({ err: error }, 'a call of a model was not recorded');
      onPart({ type: 'lost', error: 'The call was made, but its event could not be stored yet' });
    })
    .finally(() => {
      clearInterval(alive);
      controller?.close();
      controller = null;
    });
  await allowed;
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      // nginx would collect the reply otherwise.
      'X-Accel-Buffering': 'no',
    },
  });
}
