import { randomBytes } from 'node:crypto';
import type { OwnSpan } from '../../../http/own-spans.ts';
import { versionInfo } from '../../../version.ts';

type Attribute = { key: string; value: { stringValue: string } | { intValue: string } };

const attributesOf = (values: Readonly<Record<string, string | number>>): Attribute[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

const nanos = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n);

const KINDS = { request: 2, job: 1 } as const;
const FAILED = 2;

/** The spans as a request of OTLP in JSON, each a trace of its own. */
export function toOtlp(spans: readonly OwnSpan[]): object {
  const { name, version } = versionInfo();
  const service = { 'service.name': name, 'service.version': version };
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(service) },
        scopeSpans: [{ scope: { name, version }, spans: spans.map(toSpan) }],
      },
    ],
  };
}

function toSpan({ kind, name, startedAt, ms, attributes, hasFailed, error }: OwnSpan): object {
  const end = nanos(startedAt + ms);
  const exception = error && {
    name: 'exception',
    timeUnixNano: end,
    attributes: attributesOf({ 'exception.type': error.type, 'exception.stacktrace': error.frames }),
  };
  return {
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanos(startedAt),
    endTimeUnixNano: end,
    attributes: attributesOf(error === null ? attributes : { ...attributes, 'error.type': error.type }),
    ...(exception === null ? {} : { events: [exception] }),
    status: hasFailed ? { code: FAILED } : {},
  };
}
