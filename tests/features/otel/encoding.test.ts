import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ParsedEvent } from '../../../src/core/events/index.ts';
import { eventInputSchema } from '../../../src/core/events/input/contract.ts';
import { KINDS } from '../../../src/features/otel/map/kinds.ts';
import { MODEL, PROVIDER, TOKENS } from '../../../src/features/otel/map/mapping.ts';
import { decodeProtobuf } from '../../../src/features/otel/read/decode-protobuf.ts';
import { readSpans } from '../../../src/features/otel/read/read-spans.ts';
import { formatInstant } from '../../../src/lib/time.ts';
import { type AttributeMap, encode, NOW, readBytes, type SpanSpec } from './otlp.ts';

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.maxSafeInteger(),
  // The encoder writes whole numbers as int64, even if they are doubles.
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((x) => !Number.isInteger(x) || Math.abs(x) < 2 ** 63),
  fc.boolean(),
);
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(fc.string(), { maxLength: 3 }),
  fc.dictionary(fc.string(), fc.oneof(scalar, fc.array(fc.integer(), { maxLength: 3 })), { maxKeys: 3 }),
);
const known = [
  ...[...PROVIDER.from, ...MODEL.from, ...Object.values(TOKENS).flatMap(({ from }) => from)].filter(
    (name) => typeof name === 'string',
  ),
  'gen_ai.response.finish_reasons',
  'langfuse.observation.usage_details',
  'error.type',
  'user.id',
];
const kinds = fc
  .constantFrom(...KINDS)
  .chain(({ attribute, values }) =>
    fc.constantFrom(...Object.keys(values)).map((kind) => ({ [attribute]: kind })),
  );
const attributes: fc.Arbitrary<AttributeMap> = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...known), value),
    fc.dictionary(fc.string(), value, { maxKeys: 4 }),
    kinds,
  )
  .map(([named, others, kind]) => ({ ...others, ...named, ...kind }));
const span: fc.Arbitrary<SpanSpec> = fc.record(
  {
    name: fc.string({ unit: 'grapheme' }),
    id: fc.integer({ min: 1, max: 50 }).map(String),
    parent: fc.integer({ min: 1, max: 50 }).map(String),
    start: fc.integer({ min: -1e6, max: 1e6 }),
    code: fc.constantFrom(0, 1, 2),
    message: fc.string(),
    attributes,
    exception: fc.record({ 'exception.type': fc.string(), 'exception.message': fc.string() }),
    resource: attributes,
  },
  { requiredKeys: [] },
);

/** The event as a line of POST /v1/ingest would state it. */
const toInput = ({ ts, dated: _, ...event }: ParsedEvent): unknown => ({
  ...event,
  timestamp: formatInstant(ts),
});

describe('the two encodings', () => {
  test('give the same events, which the native route would accept', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 4 }), fc.boolean(), (specs, storePrompts) => {
        const events = readBytes(encode('protobuf', ...specs), 'protobuf', storePrompts);
        expect(readBytes(encode('json', ...specs), 'json', storePrompts)).toEqual(events);
        expect(events.length).toBe(specs.length);
        for (const event of events) expect(eventInputSchema.safeParse(toInput(event)).error).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  test('preserve 64-bit integers and distinguish absent fields', () => {
    const message = (...bytes: number[]) => decodeProtobuf(Uint8Array.from(bytes), 'AnyValue');
    expect(message()).toEqual({});
    expect(message(0x0a, 0)).toEqual({ stringValue: '' });
    expect(message(0x18, 0)).toEqual({ intValue: 0 });
    expect(message(0x18, ...new Array(9).fill(0xff), 1)).toEqual({ intValue: -1 });
    expect(message(0x18, ...new Array(7).fill(0xff), 0x0f)).toEqual({ intValue: Number.MAX_SAFE_INTEGER });
    expect(message(0x18, ...new Array(8).fill(0xff), 0x7f)).toEqual({ intValue: '9223372036854775807' });
    expect(decodeProtobuf(Uint8Array.from([0x39, ...new Array(8).fill(0xff)]), 'Span')).toEqual({
      startTimeUnixNano: 18446744073709551615n,
    });
  });
});

describe('OTLP/JSON', () => {
  const read = (fields: object) => {
    const raw = {
      traceId: '5B8EFFF798038103D269B633813FC60C',
      spanId: 'EEE19B7EC3C1B174',
      name: 'x',
      startTimeUnixNano: `${BigInt(NOW) * 1_000_000n}`,
      ...fields,
    };
    return readSpans({ resourceSpans: [{ scopeSpans: [{ spans: [raw] }] }] }, NOW);
  };

  test('accepts upper-case ids, numeric times, and a missing end', () => {
    const [found] = read({ startTimeUnixNano: NOW * 1e6, parentSpanId: '', unknown: { a: 1 } }).spans;
    expect(found).toMatchObject({
      traceId: '5b8efff798038103d269b633813fc60c',
      spanId: 'eee19b7ec3c1b174',
      parentSpanId: null,
      end: null,
    });
    expect(Number((found?.start ?? 0n) / 1_000_000n)).toBe(NOW);
  });

  test('reads integers as numbers and as text', () => {
    const attributes = [
      { key: 'a', value: { intValue: '12' } },
      { key: 'b', value: { intValue: 12 } },
      { key: 'c', value: { intValue: '9223372036854775807' } },
      { key: 'd', value: { doubleValue: 'NaN' } },
      { key: 'e', value: { bytesValue: 'AAAA' } },
      { key: '__proto__', value: { boolValue: false } },
    ];
    expect([...(read({ attributes }).spans[0]?.attributes ?? [])]).toEqual([
      ['a', 12],
      ['b', 12],
      ['c', '9223372036854775807'],
      ['__proto__', false],
    ]);
  });

  const nanos = (ms: number): string => `${BigInt(NOW + ms) * 1_000_000n}`;
  test.each<[string, object, string]>([
    ['no trace id', { traceId: undefined }, 'traceId must be 32 hexadecimal digits that are not all 0'],
    [
      'a trace id of zeros',
      { traceId: '0'.repeat(32) },
      'traceId must be 32 hexadecimal digits that are not all 0',
    ],
    [
      'a trace id in base64',
      { traceId: 'W47/95gDgQPSabYzgT/GDA==' },
      'traceId must be 32 hexadecimal digits that are not all 0',
    ],
    ['a short span id', { spanId: 'abc' }, 'spanId must be 16 hexadecimal digits that are not all 0'],
    ['a parent that is none', { parentSpanId: 'parent' }, 'parentSpanId must be 16 hexadecimal digits'],
    ['no start', { startTimeUnixNano: '0' }, 'startTimeUnixNano must be nanoseconds since 1970'],
    [
      'a start in milliseconds',
      { startTimeUnixNano: String(NOW) },
      'startTimeUnixNano must not be more than 10 years back',
    ],
    [
      'a start in the future',
      { startTimeUnixNano: nanos(90_000_000) },
      'startTimeUnixNano must not be more than a day ahead',
    ],
    [
      'an end long before the start',
      { endTimeUnixNano: nanos(-90_000) },
      'endTimeUnixNano must not be before startTimeUnixNano',
    ],
    ['attributes that are no list', { attributes: {} }, 'attributes must be an array'],
    ['an attribute without a key', { attributes: [{ value: {} }] }, 'an attribute has no key'],
  ])('refuses a span with %s', (_, fields, error) => {
    expect(read(fields)).toEqual({ spans: [], refused: [{ line: 1, error }] });
  });

  test('uses the start as the end if a clock correction put the end before it', () => {
    const [found] = read({ endTimeUnixNano: nanos(-20) }).spans;
    expect(found?.end).toBe(found?.start ?? null);
  });
});
