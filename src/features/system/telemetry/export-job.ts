import type { Ctx } from '../../../context.ts';
import { outboundOf } from '../../../core/outbound/index.ts';
import { ownSpans } from '../../../http/own-spans.ts';
import type { Job } from '../../../module.ts';
import { toOtlp } from './to-otlp.ts';

/** The collector may be on this machine, because the operator names it. */
const TIMEOUT_MS = 10_000;

/** Sends what the server did in the last minute. What a collector refuses is dropped, so nothing piles up. */
export const exportTracesJob: Job = {
  name: 'system.export_traces',
  summary: "Send the server's own traces and errors to OTEL_EXPORTER_OTLP_ENDPOINT",
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = ctx.config;
    if (endpoint === undefined) return {};
    const { spans } = ctx.use(ownSpans).take();
    if (spans.length === 0) return {};
    const { status } = await outboundOf(ctx).fetch(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headersOf(ctx) },
      body: JSON.stringify(toOtlp(spans)),
      timeoutMs: TIMEOUT_MS,
      trustedOrigin: new URL(endpoint).origin,
      signal,
    });
    if (status < 200 || status > 299)
      throw new Error(`The collector of OTEL_EXPORTER_OTLP_ENDPOINT answered ${status}`);
    return {};
  },
};

/** `api-key=secret,tenant=a`, as OpenTelemetry writes headers in a setting. */
function headersOf({ config }: Ctx): Record<string, string> {
  const pairs = (config.OTEL_EXPORTER_OTLP_HEADERS ?? '').split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}
