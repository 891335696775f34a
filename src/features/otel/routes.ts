import type { Ctx } from '../../context.ts';
import { intakeOf, redactorOf } from '../../core/events/index.ts';
import { inferProvider, pricerOf } from '../../core/pricing/index.ts';
import { keepLines } from '../../core/quarantine/index.ts';
import { type KeyScope, route } from '../../core/tenancy/index.ts';
import { recordCounted } from '../../core/usage/index.ts';
import { AppError, unavailable } from '../../errors.ts';
import { type BodyLimits, readBody } from '../../http/read-body.ts';
import { type InspectReply, inspectEndpoint, OTLP_PATHS, otlpEndpoint } from './contract.ts';
import { inspectRequest } from './inspect/inspect-request.ts';
import { toEvents } from './map/to-events.ts';
import { readDump, SENT_FILE } from './read/read-dump.ts';
import { encodingOf, readRequest } from './read/read-request.ts';
import type { SpanBatch } from './read/span.ts';
import { traceReply } from './reply.ts';

const MB = 1_048_576;

/** decisions.md, Ingest: 4 MB compressed, 32 MB raw. The Collector and the SDKs know gzip, Python's deflate. */
const OTLP_BODY_LIMITS: BodyLimits = {
  maxCompressed: 4 * MB,
  maxRaw: 32 * MB,
  encodings: ['gzip', 'deflate'],
};

/** Most refused spans of a request that the quarantine keeps. */
const MAX_QUARANTINED = 100;
/** Seconds after which an exporter is to try again when the store failed. */
const RETRY_SECONDS = 5;

/** One handler for all paths to which exporters post. */
const ingestRoutes = OTLP_PATHS.map((path) =>
  route(otlpEndpoint(path), async (ctx, { request }, key): Promise<Response> => {
    const encoding = encodingOf(request);
    return await intakeOf(ctx).run(request, OTLP_BODY_LIMITS, async (bytes) => {
      const batch = readRequest(bytes, encoding, ctx.now());
      await record(ctx, key, batch);
      return traceReply(encoding, batch.refused);
    });
  }),
);

const INSPECT_LIMITS: BodyLimits = {
  maxCompressed: MB,
  maxRaw: SENT_FILE.bytes,
  encodings: ['gzip', 'deflate'],
};

/**
 * What would become of a request, and why; nothing is stored. As `application/octet-stream` it may be a file: JSON,
 * JSON by the line as the Collector's file exporter writes it, or Protobuf.
 */
const inspectRoute = route(inspectEndpoint, async (ctx, { request }, { scope }): Promise<InspectReply> => {
  // A file says by its bytes what it is; a request as an exporter sends it by its header.
  const stated = isFile(request) ? null : encodingOf(request);
  const bytes = await readBody(request, INSPECT_LIMITS);
  const { batch, encoding } =
    stated === null
      ? readDump(bytes, ctx.now(), SENT_FILE)
      : { batch: readRequest(bytes, stated, ctx.now()), encoding: stated };
  return inspectRequest(batch, encoding, await pricerOf(ctx, scope.organizationId));
});

const isFile = (request: Request): boolean =>
  request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/octet-stream';

/** Exporters drop a batch at 500 and try again at 503, so that no failure of ours may be a 500. */
async function record(ctx: Ctx, key: KeyScope, { spans, refused }: SpanBatch): Promise<void> {
  if (spans.length + refused.length === 0) return;
  try {
    const events = toEvents(spans, {
      redact: redactorOf(key.redactKeys),
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
