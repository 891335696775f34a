import { onlyTraces } from './read/only-traces.ts';

/** Where an exporter adds the name of what it sends, to the address that it is given. */
const SIGNAL = /\/v1\/(traces|metrics|logs)\/?$/;

/**
 * What to change where an OTLP exporter posts to a path that takes no spans: another signal, an address with a path of
 * its own, the address alone. Undefined for other requests.
 */
export function hintForPath(method: string, pathname: string): string | undefined {
  if (method !== 'POST') return undefined;
  const signal = SIGNAL.exec(pathname)?.[1];
  if (signal === 'metrics' || signal === 'logs') return onlyTraces(signal);
  if (signal === undefined && pathname !== '/') return undefined;
  return 'Spans are posted to /v1/traces: set OTEL_EXPORTER_OTLP_ENDPOINT to the address without a path, or the url of an exporter to the address and /v1/traces';
}
