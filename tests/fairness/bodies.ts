import { gzipSync } from 'node:zlib';

const gzip = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(gzipSync(text, { level: 9 }));
const DAY_MS = 86_400_000;

/** A JSON body of one megabyte that takes a kilobyte on the wire. */
export const smallBomb = (): Uint8Array<ArrayBuffer> => gzip(JSON.stringify({ token: 'x'.repeat(999_000) }));

/** The largest batch of events: 100 lines of 100 kB. */
export function largeBatch(): Uint8Array<ArrayBuffer> {
  const metadata = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`key${i}`, 'v'.repeat(100)]));
  const line = JSON.stringify({ provider: 'openai', model: 'gpt-4o', input_tokens: 1, metadata });
  return gzip(Array.from({ length: 90 }, () => line).join('\n'));
}

const attribute = (key: string, value: object): object => ({ key, value });

/** A trace request of `count` spans with `padding` attributes each. */
export function traceRequest(count: number, padding: number): string {
  const start = BigInt(Date.now()) * 1_000_000n;
  const more = Array.from({ length: padding }, (_, i) =>
    attribute(`app.note${i}`, { stringValue: 'n'.repeat(40) }),
  );
  const spans = Array.from({ length: count }, (_, i) => ({
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: (i + 1).toString(16).padStart(16, '0'),
    name: 'chat gpt-4o',
    kind: 3,
    startTimeUnixNano: `${start}`,
    endTimeUnixNano: `${start + 250_000_000n}`,
    attributes: [
      attribute('gen_ai.operation.name', { stringValue: 'chat' }),
      attribute('gen_ai.provider.name', { stringValue: 'openai' }),
      attribute('gen_ai.request.model', { stringValue: 'gpt-4o' }),
      attribute('gen_ai.usage.input_tokens', { intValue: '1200' }),
      attribute('gen_ai.usage.output_tokens', { intValue: '48' }),
      ...more,
    ],
  }));
  return JSON.stringify({ resourceSpans: [{ resource: {}, scopeSpans: [{ scope: { name: 'x' }, spans }] }] });
}

/** The largest trace request: 10,000 spans, about 30 MB of JSON. */
export const largeTrace = (): Uint8Array<ArrayBuffer> => gzip(traceRequest(10_000, 25));

/** A recorded request of about 4 MB, for the inspector. */
export const largeDump = (): Uint8Array<ArrayBuffer> => gzip(traceRequest(3_000, 10));

/** An export of a provider, of 16 MB if it has 400,000 rows. */
export function invoiceOf(count: number): Uint8Array<ArrayBuffer> {
  const rows = ['date,model,requests,input_tokens,output_tokens,cost_usd'];
  for (let i = 0; i < count; i++) {
    const day = new Date(Date.now() - (i % 300) * DAY_MS).toISOString().slice(0, 10);
    rows.push(`${day},model-${i % 5_000},12,24000,6000,0.12`);
  }
  return gzip(rows.join('\n'));
}
