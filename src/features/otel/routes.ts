import type { Ctx, Service } from '../../context.ts';
import { intakeOf, redactorOf, senderOf } from '../../core/events/index.ts';
import { type Arrival, arrivalOf } from '../../core/online-rules/index.ts';
import { keepLines } from '../../core/quarantine/index.ts';
import { type KeyScope, ofProject, route } from '../../core/tenancy/index.ts';
import { withSchemas } from '../../core/tool-schemas/index.ts';
import { recordCounted, refuseExhausted } from '../../core/usage/index.ts';
import { AppError, unavailable } from '../../errors.ts';
import { readBody } from '../../http/body/read-body.ts';
import type { Pause } from '../../http/intake.ts';
import { createShare } from '../../http/share.ts';
import { type Running, runHere } from '../../http/work/work.ts';
import type { FairGate } from '../../lib/fair-gate.ts';
import type { JsonText } from '../../lib/json-text.ts';
import { type InspectReply, inspectEndpoint, OTLP_PATHS, otlpEndpoint } from './contract.ts';
import { inspectRead } from './inspect/inspect-read.ts';
import { type Encoding, encodingOf } from './read/read-request.ts';
import type { RefusedSpan } from './read/span.ts';
import { type EventPart, readEvents, readEventsWork } from './read-events.ts';
import { traceReply } from './reply.ts';

/** Most refused spans per request to quarantine. */
const MAX_QUARANTINED = 100;
/** Retry delay in seconds for exporters after a failure of the store. */
const RETRY_SECONDS = 5;

/** Larger requests are decoded and mapped on another thread. */
const HERE_BYTES = 524_288;

/** One handler for all paths that exporters post to. */
const ingestRoutes = OTLP_PATHS.map(otlpEndpoint).map((endpoint) =>
  route(endpoint, async (ctx, { request }, key): Promise<Response> => {
    const encoding = encodingOf(request);
    refuseExhausted(ctx, key);
    const of = { limits: endpoint.bodyLimits, sender: senderOf(key) };
    return await intakeOf(ctx).run(request, of, async (bytes, pause) => {
      // The quota may have been used up while the request waited.
      refuseExhausted(ctx, key);
      const refused = await record(ctx, key, { bytes, encoding, pause });
      return traceReply(encoding, refused);
    });
  }),
);

/**
 * Explains how a request would be read; nothing is stored. As `application/octet-stream` the body may be a file: JSON,
 * one JSON request per line as the Collector's file exporter writes it, or protobuf.
 */
const inspectRoute = route(
  inspectEndpoint,
  (ctx, { request }, { scope }): Promise<JsonText<InspectReply>> => {
    // The format of a file shows in its bytes, that of an exporter's request in its header.
    const encoding = isFile(request) ? null : encodingOf(request);
    return ctx.use(inspections).run(scope.organizationId, async () => {
      const bytes = await readBody(request, inspectEndpoint.bodyLimits);
      return ctx.db.read(inspectRead, ofProject(scope), { bytes, encoding, now: ctx.now() });
    });
  },
);

/** Requests of up to 4 MB that are explained at a time, or wait for that. */
export const inspections: Service<FairGate> = {
  name: 'otel.inspections',
  open: () => createShare('inspections', { running: { total: 3, each: 1 }, waiting: { total: 12, each: 4 } }),
};

const isFile = (request: Request): boolean =>
  request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/octet-stream';

type Sent = { readonly bytes: Uint8Array; readonly encoding: Encoding; readonly pause: Pause };

/**
 * Stores the events of a request part by part, and returns the refused spans. If it fails in between, the sender sends
 * the whole request again, and what is stored already counts once. Exporters drop a batch on 500 and retry on 503, so a
 * failure of the server must be a 503.
 */
async function record(ctx: Ctx, key: KeyScope, sent: Sent): Promise<readonly RefusedSpan[]> {
  const arrival = await arrivalOf(ctx, key);
  const parts = readParts(ctx, key, { ...sent, arrival });
  let refused: readonly RefusedSpan[] = [];
  try {
    for (let part = await parts.next(); part !== undefined; part = await parts.next()) {
      await sent.pause();
      refused = [...refused, ...part.refused];
      await recordPart(ctx, key, { ...part, arrival });
    }
    return refused;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw unavailable('The spans could not be stored; try again', RETRY_SECONDS, error);
  } finally {
    parts.stop();
  }
}

function readParts(
  ctx: Ctx,
  key: KeyScope,
  { bytes, encoding, arrival: { passesContent } }: Sent & { readonly arrival: Arrival },
): Running<EventPart, void> {
  const { redactKeys, storePrompts } = key;
  const sent = { bytes, encoding, now: ctx.now(), storePrompts, passesContent };
  if (bytes.length <= HERE_BYTES) return runHere(readEvents(sent, redactorOf(ctx, redactKeys)));
  const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
  return ctx.workers.start(readEventsWork, { ...sent, bytes: own, redactKeys }, [own.buffer as ArrayBuffer]);
}

type ArrivedPart = EventPart & { readonly arrival: Arrival };

async function recordPart(
  ctx: Ctx,
  key: KeyScope,
  { events: read, refused, tools, arrival }: ArrivedPart,
): Promise<void> {
  const { events, effects } = arrival.note(read);
  if (events.length + refused.length === 0) return;
  const kept = refused.slice(0, MAX_QUARANTINED).map(({ line, error }) => ({ line, error, body: null }));
  await withSchemas(ctx, key, tools, (observed) =>
    recordCounted(ctx, key, events, {
      effects: [...keepLines(ctx, key, kept), ...effects, ...observed],
      spans: true,
    }),
  );
}

export const otelRoutes = [...ingestRoutes, inspectRoute];
