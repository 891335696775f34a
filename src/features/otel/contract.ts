import { z } from 'zod';

/** Reply of `POST /v1/otel` in JSON (opentelemetry-proto, ExportTraceServiceResponse). */
export const traceReplySchema = z.object({
  /** There only when spans were refused. They must not be sent again unchanged. */
  partialSuccess: z.object({ rejectedSpans: z.string(), errorMessage: z.string() }).optional(),
});
