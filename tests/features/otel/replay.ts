import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredEvent } from '../../../src/core/events/contract.ts';
import type { Tenant, TestApp } from '../../helpers/app.ts';

type JsonSpan = { readonly traceId: string; readonly spanId: string; readonly parentSpanId?: string };
type Group = { readonly scopeSpans: readonly { readonly spans?: readonly JsonSpan[] }[] };
/** An OTLP trace request in JSON. */
export type Recording = { readonly resourceSpans: readonly Group[] };

type Page = { readonly events: StoredEvent[]; readonly nextCursor: string | null };

const FOLDER = join(import.meta.dir, 'recordings');

/** A client's requests with the times moved to noon of the tests' clock. */
export const readRecording = (client: string): Recording[] =>
  readFileSync(join(FOLDER, `${client}.ndjson`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recording);

/** The same spans in the order sent, one per request. */
export const spanBySpan = (requests: readonly Recording[]): Recording[] =>
  requests.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap((group) =>
      group.scopeSpans.flatMap((scope) =>
        (scope.spans ?? []).map((span) => ({
          resourceSpans: [{ ...group, scopeSpans: [{ ...scope, spans: [span] }] }],
        })),
      ),
    ),
  );

export const spansOf = (requests: readonly Recording[]): JsonSpan[] =>
  spanBySpan(requests).flatMap(({ resourceSpans }) => resourceSpans[0]?.scopeSpans[0]?.spans ?? []);

export async function post(app: TestApp, tenant: Tenant, requests: readonly Recording[]): Promise<void> {
  for (const request of requests) {
    const response = await app.fetch('/v1/otel', { json: request, apiKey: tenant.apiKey });
    if (response.status !== 202 || (await response.text()) !== '{}') throw new Error('a request was refused');
  }
}

/** All events of the project, oldest first, as the API pages through them. */
export async function listEvents(app: TestApp, { projectId, bearer }: Tenant): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = `projectId=${projectId}&kind=all&limit=50&cursor=${encodeURIComponent(cursor)}`;
    const page: Page = await getJson<Page>(app, `/v1/events?${query}`, bearer);
    events.push(...page.events);
    cursor = page.nextCursor;
  }
  return events.reverse();
}

export async function getJson<T>(app: TestApp, path: string, bearer: string): Promise<T> {
  const response = await app.fetch(path, { bearer });
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** One line per call: model, status, tokens (input/cached/written output/reasoning), finish reason, stream, TTFT. */
export function describeCall(event: StoredEvent): string {
  const { model, status, error_code, stream, ttft_ms, finish_reason } = event;
  const input = `${event.input_tokens}/${event.cached_input_tokens}/${event.cache_write_tokens}`;
  return [
    `${event.provider}/${model}`,
    error_code === null ? status : `${status}:${error_code}`,
    `${input} ${event.output_tokens}/${event.reasoning_tokens}`,
    finish_reason ?? '-',
    ...(stream ? ['stream'] : []),
    ...(ttft_ms === null ? [] : ['ttft']),
  ].join(' ');
}
