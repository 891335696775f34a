import { describe, expect, test } from 'bun:test';
import { AppError } from '../../../src/errors.ts';
import { toEvents } from '../../../src/features/otel/map/to-events.ts';
import { readRequest } from '../../../src/features/otel/read/read-request.ts';
import { createRedactor } from '../../../src/lib/redact.ts';
import { cpuMs } from '../../helpers/cpu.ts';
import { encode, NOW, type SpanSpec } from './otlp.ts';

const context = {
  redact: createRedactor([]),
  storePrompts: true,
  inferProvider: () => null,
  providerAt: () => null,
};
const MALFORMED = '400 The body is not an OTLP trace request';

/** `spans/refused` or the error, as `status message`. Anything that is not an AppError fails the test. */
const read = (bytes: Uint8Array, encoding: 'json' | 'protobuf'): string => {
  try {
    const { spans, refused } = readRequest(bytes, encoding, NOW);
    toEvents(spans, context);
    return `${spans.length}/${refused.length}`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.status} ${error.message}`;
  }
};
const readJson = (value: unknown): string => read(new TextEncoder().encode(JSON.stringify(value)), 'json');
const readText = (text: string): string => read(new TextEncoder().encode(text), 'json');

const span: SpanSpec = {
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 12,
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'hello' }] }],
    'gen_ai.request.temperature': 0.5,
    'gen_ai.request.stream': true,
  },
  code: 2,
  message: 'no',
  exception: { 'exception.type': 'Error' },
  parent: '7',
  scope: { name: 'scope', version: '1' },
  resource: { 'service.name': 'shop' },
};

/** A varint and a length-delimited field of Protocol Buffers. */
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
const field = (id: number, ...parts: ArrayLike<number>[]): Uint8Array => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(Uint8Array.from(part))));
  return new Uint8Array(
    Buffer.concat([Buffer.from([(id << 3) | 2]), Buffer.from(varint(body.length)), body]),
  );
};
const request = (...spanFields: ArrayLike<number>[]): Uint8Array =>
  field(1, field(2, field(2, ...spanFields)));
const ids = [field(1, new Uint8Array(16).fill(1)), field(2, new Uint8Array(8).fill(1))];
const time = (id: number): number[] => {
  const bytes = Buffer.alloc(9, (id << 3) | 1);
  bytes.writeBigUInt64LE(BigInt(NOW) * 1_000_000n, 1);
  return [...bytes];
};

/** A seeded generator, so that a failure can be reproduced. */
const randomOf = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

describe('a damaged body', () => {
  // Both spans share one resource, because a body cut between two resources would be valid.
  test.each(['json', 'protobuf'] as const)(
    'in %s that is cut at any byte is refused as a whole',
    (encoding) => {
      const bytes = encode(encoding, span, { ...span, id: '9' });
      expect(read(bytes, encoding)).toBe('2/0');
      const whole = encoding === 'protobuf' ? '0/0' : '400 The body is not JSON in UTF-8';
      expect(read(bytes.subarray(0, 0), encoding)).toBe(whole);
      for (let length = 1; length < bytes.length; length++) {
        expect(read(bytes.subarray(0, length), encoding)).toStartWith('400 ');
      }
    },
  );

  test.each(['json', 'protobuf'] as const)(
    'in %s with random changes never throws anything unknown',
    (encoding) => {
      const bytes = encode(encoding, span, { ...span, id: '9' });
      const random = randomOf(20_260_615);
      for (let round = 0; round < 2_000; round++) {
        const changed = Uint8Array.from(bytes);
        for (let changes = 1 + random(6); changes > 0; changes--) {
          const at = random(changed.length);
          if (random(4) === 0) changed.copyWithin(at, random(changed.length), random(changed.length));
          else changed[at] = random(256);
        }
        expect(read(changed, encoding)).toMatch(/^(?:400|413) |^\d+\/\d+$/);
      }
    },
  );

  test('with random values in any part of the JSON throws only known errors', () => {
    const values = [
      null,
      1,
      -1,
      1e308,
      '',
      'x',
      '\ud800',
      true,
      [],
      {},
      [null],
      [[]],
      { values: 1 },
      { key: 1 },
    ];
    const random = randomOf(7);
    const damage = (value: unknown): unknown => {
      if (random(12) === 0) return values[random(values.length)];
      if (Array.isArray(value)) return value.map(damage);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, damage(item)]));
    };
    const body = JSON.parse(new TextDecoder().decode(encode('json', span, { ...span, id: '9' })));
    for (let round = 0; round < 2_000; round++) {
      expect(readJson(damage(body))).toMatch(/^(?:400|413) |^\d+\/\d+$/);
    }
  });
});

describe('an invalid body', () => {
  const attribute = (value: unknown): unknown => ({
    resourceSpans: [{ scopeSpans: [{ spans: [jsonSpan([{ key: 'a', value }])] }] }],
  });
  const jsonSpan = (attributes: unknown): object => ({
    traceId: '1'.repeat(32),
    spanId: '1'.repeat(16),
    startTimeUnixNano: `${BigInt(NOW) * 1_000_000n}`,
    attributes,
  });
  const nested = (depth: number): unknown => {
    let value: unknown = { intValue: 1 };
    for (let i = 1; i < depth; i++) value = { arrayValue: { values: [value] } };
    return value;
  };

  test.each<[string, string, string]>([
    ['empty', '{}', '0/0'],
    ['null', 'null', '400 The body must be a JSON object with resourceSpans'],
    ['a list', '[]', '400 The body must be a JSON object with resourceSpans'],
    ['of another shape', '{"resourceSpans":{}}', '400 resourceSpans must be an array of objects'],
    [
      'with a number for a scope',
      '{"resourceSpans":[{"scopeSpans":[5]}]}',
      '400 scopeSpans must be an array of objects',
    ],
    [
      'with an object for spans',
      '{"resourceSpans":[{"scopeSpans":[{"spans":{}}]}]}',
      '400 spans must be an array',
    ],
    ['with spans that are none', '{"resourceSpans":[{"scopeSpans":[{"spans":[1,null,[]]}]}]}', '0/3'],
    ['in snake case', '{"resource_spans":[]}', '400 OTLP/JSON names are lowerCamelCase: resourceSpans'],
    [
      'metrics',
      '{"resourceMetrics":[]}',
      '400 Only traces are accepted, this is metrics: set OTEL_METRICS_EXPORTER=none',
    ],
    [
      'logs',
      '{"resourceLogs":[]}',
      '400 Only traces are accepted, this is logs: set OTEL_LOGS_EXPORTER=none',
    ],
    ['nested without end', '['.repeat(5_000_000), '400 The body is not JSON in UTF-8'],
  ])('in JSON: %s', (_, text, expected) => {
    expect(readText(text)).toBe(expected);
  });

  test('in JSON that is not UTF-8', () => {
    expect(read(Uint8Array.from([0x7b, 0xff, 0x7d]), 'json')).toBe('400 The body is not JSON in UTF-8');
  });

  const metric = (...data: ArrayLike<number>[]): Uint8Array =>
    field(2, field(1, Buffer.from('requests')), ...data);
  test.each<[string, Uint8Array, string]>([
    ['empty', new Uint8Array(0), '0/0'],
    ['with a span that is empty', request(), '0/1'],
    ['with ids and a start', request(...ids, time(7)), '1/0'],
    ['with ids that are too long', request(field(1, new Uint8Array(17).fill(1)), time(7)), '0/1'],
    ['with a name that is not UTF-8', request(...ids, time(7), field(5, [0xff, 0xfe])), '1/0'],
    ['with a number for an id', request([8, 1]), MALFORMED],
    ['with text for a time', request(...ids, field(7, Buffer.from('now'))), MALFORMED],
    ['with a field 0', Uint8Array.from([2, 0]), MALFORMED],
    ['with a field that ends beyond its message', Uint8Array.from([10, 3, 18, 9, 0]), MALFORMED],
    ['with groups in groups', Uint8Array.from(new Array(5_000).fill(0x1b)), MALFORMED],
    ['with an unknown field', Uint8Array.from([...request(...ids, time(7)), ...field(9, [1, 2, 3])]), '1/0'],
    [
      'gauges',
      field(1, field(2, metric(field(5, [])))),
      '400 Only traces are accepted, this is metrics: set OTEL_METRICS_EXPORTER=none',
    ],
    [
      'sums',
      field(1, field(2, metric(field(7, [])))),
      '400 Only traces are accepted, this is metrics: set OTEL_METRICS_EXPORTER=none',
    ],
    [
      'logs',
      field(1, field(2, field(2, time(1)))),
      '400 Only traces are accepted, this is logs: set OTEL_LOGS_EXPORTER=none',
    ],
    [
      'logs by the time of observation',
      field(1, field(2, field(2, time(11)))),
      '400 Only traces are accepted, this is logs: set OTEL_LOGS_EXPORTER=none',
    ],
  ])('in Protobuf: %s', (_, bytes, expected) => {
    expect(read(bytes, 'protobuf')).toBe(expected);
  });

  test('values are accepted to a depth of 32, and deeper ones refuse only their span', () => {
    expect(readJson(attribute(nested(32)))).toBe('1/0');
    expect(readJson(attribute(nested(33)))).toBe('0/1');
    const deep = `${'{"arrayValue":{"values":['.repeat(5_000)}{}${']}}'.repeat(5_000)}`;
    expect(readText(JSON.stringify(attribute('HERE')).replace('"HERE"', deep))).toBe('0/1');
    let value = field(1, Buffer.from('x'));
    for (let i = 0; i < 5_000; i++) value = field(5, field(1, value));
    expect(read(request(...ids, time(7), field(9, field(1, [97]), field(2, value))), 'protobuf')).toBe(
      MALFORMED,
    );
  });

  test('ten thousand attributes are accepted, a million refuse only their span', () => {
    const attributes = (count: number): object[] =>
      Array.from({ length: count }, (_, i) => ({ key: `k${i}`, value: { intValue: i } }));
    const body = (count: number): unknown => ({
      resourceSpans: [{ scopeSpans: [{ spans: [jsonSpan(attributes(count)), jsonSpan([])] }] }],
    });
    expect(readJson(body(10_000))).toBe('2/0');
    expect(readJson(body(10_001))).toBe('1/1');
    const many = new Uint8Array(2_000_000).fill(0).map((_, i) => (i % 2 === 0 ? 0x4a : 0));
    expect(read(request(...ids, time(7), many), 'protobuf')).toBe('0/1');
  });

  test('at most ten thousand spans are accepted', () => {
    const spans = (count: number): Uint8Array =>
      field(1, field(2, ...Array.from({ length: count }, () => field(2, ...ids, time(7)))));
    expect(read(spans(10_000), 'protobuf')).toBe('10000/0');
    expect(read(spans(10_001), 'protobuf')).toBe('413 The request is over the limit of 10000 spans');
  });

  test('a body of a million tiny elements is refused before it fills the memory', () => {
    const bytes = new Uint8Array(32 * 1_048_576).map((_, i) => (i % 2 === 0 ? 10 : 0));
    const spent = cpuMs(() =>
      expect(read(bytes, 'protobuf')).toBe('413 The request is over the limit of 1000000 elements'),
    );
    expect(spent).toBeLessThan(10_000);
  });
});
