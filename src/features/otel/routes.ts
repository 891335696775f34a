import type { Ctx } from '../../context.ts';
import { intakeOf, redactorOf, senderOf } from '../../core/events/index.ts';
import { inferProvider, pricerOf } from '../../core/pricing/index.ts';
import { keepLines } from '../../core/quarantine/index.ts';
import { type KeyScope, route } from '../../core/tenancy/index.ts';
import { recordCounted } from '../../core/usage/index.ts';
import { AppError, unavailable } from '../../errors.ts';
import { readBody } from '../../http/body/read-body.ts';
import { type InspectReply, inspectEndpoint, OTLP_PATHS, otlpEndpoint } from './contract.ts';
import { inspectRequest } from './inspect/inspect-request.ts';
import { toEvents } from './map/to-events.ts';
import { readDump, SENT_FILE } from './read/read-dump.ts';
import { encodingOf, readRequest } from './read/read-request.ts';
import type { SpanBatch } from './read/span.ts';
import { traceReply } from './reply.ts';

/** Most refused spans per request to quarantine. */
const MAX_QUARANTINED = 100;
/** Retry delay in seconds for exporters after a failure of the store. */
const RETRY_SECONDS = 5;

/** One handler for all paths that exporters post to. */
const ingestRoutes = OTLP_PATHS.map(otlpEndpoint).map((endpoint) =>
  route(endpoint, async (ctx, { request }, key): Promise<Response> => {
    const encoding = encodingOf(request);
    const of = { limits: endpoint.bodyLimits, sender: senderOf(key) };
    return await intakeOf(ctx).run(request, of, async (bytes) => {
      const batch = readRequest(bytes, encoding, ctx.now());
      await record(ctx, key, batch);
      return traceReply(encoding, batch.refused);
    });
  }),
);

/**
 * Explains how a request would be read; nothing is stored. As `application/octet-stream` the body may be a file: JSON,
 * one JSON request per line as the Collector's file exporter writes it, or protobuf.
 */
const inspectRoute = route(inspectEndpoint, async (ctx, { request }, { scope }): Promise<InspectReply> => {
  // The format of a file shows in its bytes, that of an exporter's request in its header.
  const stated = isFile(request) ? null : encodingOf(request);
  const bytes = await readBody(request, inspectEndpoint.bodyLimits);
  const { batch, encoding } =
    stated === null
      ? readDump(bytes, ctx.now(), SENT_FILE)
      : { batch: readRequest(bytes, stated, ctx.now()), encoding: stated };
  return inspectRequest(batch, encoding, await pricerOf(ctx, scope.organizationId));
});

const isFile = (request: Request): boolean =>
  request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/octet-stream';

/** Exporters drop a batch on 500 and retry on 503, so a failure of the server must be a 503. */
async function record(ctx: Ctx, key: KeyScope, { spans, refused }: SpanBatch): Promise<void> {
  if (spans.length + refused.length === 0) return;
  try {
    const events = toEvents(spans, {
      redact: redactorOf(ctx, key.redactKeys),
      storePrompts: key.storePrompts,
      inferProvider,
    });
    const kept = refused.slice(0, MAX_QUARANTINED).map(({ line, error }) => ({ line, error, body: null }));
    await recordCounted(ctx, key, events, { effects: keepLines(ctx, key, kept), spans: true });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw unavailable('The spans could not be stored; try again', RETRY_SECONDS, error);
  }
}

export const otelRoutes = [...ingestRoutes, inspectRoute];
