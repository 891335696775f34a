import { encode, type SpanSpec } from './otlp.ts';
import { EXPECTATIONS } from './recordings/expectations.ts';
import { readRecording, spanBySpan } from './replay.ts';

type Encoding = 'json' | 'protobuf';
/** A request body, valid or not. */
export type Case = { readonly kind: string; readonly encoding: Encoding; readonly body: Uint8Array };
/** A whole number from 0 to below. */
type Random = (below: number) => number;

/** A seeded generator (mulberry32), so that a failure can be reproduced. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const chat: SpanSpec = {
  parent: '7',
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 12,
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'hello' }] }],
    'langfuse.observation.usage_details': '{"input":1,"output":2}',
    metadata: '{"plan":"gold","ls_provider":"openai"}',
    'gen_ai.request.temperature': 0.5,
    'gen_ai.request.stream': true,
  },
  code: 2,
  message: 'no',
  exception: { 'exception.type': 'Error' },
  scope: { name: 'scope', version: '1' },
  resource: { 'service.name': 'shop' },
};

type Seed = { readonly encoding: Encoding; readonly body: Uint8Array };

/** Valid bodies: handwritten ones in both encodings, and each span that real clients sent. */
function seeds(): Seed[] {
  const recorded = EXPECTATIONS.flatMap(({ client }) => spanBySpan(readRecording(client))).map(
    (request): Seed => ({ encoding: 'json', body: new TextEncoder().encode(JSON.stringify(request)) }),
  );
  const made = (['json', 'protobuf'] as const).flatMap((encoding): Seed[] => [
    { encoding, body: encode(encoding, chat, { ...chat, id: '9' }) },
    { encoding, body: encode(encoding, { ...chat, attributes: {} }) },
  ]);
  return [...recorded, ...Array.from({ length: recorded.length }, (_, i) => made[i % made.length] as Seed)];
}

const HOSTILE_NUMBERS = [
  '-1',
  '1e999',
  '-1e999',
  '9223372036854775808',
  '1e308',
  '0.1',
  '-0',
  '"NaN"',
  '"-5"',
  '2e53',
];
const HOSTILE_VALUES = [
  'null',
  '{}',
  '[]',
  '""',
  '[[[]]]',
  '"\\ud800"',
  '"\\u0000"',
  '{"__proto__":1}',
  'true',
];
const BAD_IDS = [
  '',
  '0',
  '0'.repeat(32),
  'g'.repeat(32),
  'f'.repeat(31),
  'F'.repeat(32),
  '\u0000'.repeat(16),
];

type Mutation = (seed: Seed, random: Random) => Uint8Array;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (body: Uint8Array): string => new TextDecoder().decode(body);

/** Replaces one of the matches of a pattern in the text of a body. */
function replaceOne(
  body: Uint8Array,
  pattern: RegExp,
  by: (random: Random) => string,
  random: Random,
): Uint8Array {
  const text = textOf(body);
  const places = [...text.matchAll(pattern)];
  const place = places[random(places.length)];
  if (place === undefined) return body;
  return bytesOf(text.slice(0, place.index) + by(random) + text.slice(place.index + place[0].length));
}

const oneOf =
  (list: readonly string[]) =>
  (random: Random): string =>
    list[random(list.length)] ?? '';

const nested = (depth: number): string =>
  `${'{"arrayValue":{"values":['.repeat(depth)}{}${']}}'.repeat(depth)}`;

const attributes = (count: number): string =>
  Array.from({ length: count }, (_, i) => `{"key":"k${i}","value":{"intValue":${i}}}`).join(',');

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  truncated: ({ body }, random) => body.subarray(0, random(body.length)),
  'bits flipped': ({ body }, random) => {
    const changed = Uint8Array.from(body);
    for (let flips = 1 + random(8); flips > 0; flips--) {
      const at = random(changed.length);
      changed[at] = (changed[at] ?? 0) ^ (1 << random(8));
    }
    return changed;
  },
  'bytes replaced': ({ body }, random) => {
    const changed = Uint8Array.from(body);
    for (let changes = 1 + random(8); changes > 0; changes--) changed[random(changed.length)] = random(256);
    return changed;
  },
  'parts moved': ({ body }, random) => {
    const changed = Uint8Array.from(body);
    changed.copyWithin(random(changed.length), random(changed.length), random(changed.length));
    return changed;
  },
  'parts repeated': ({ body }, random) => {
    const [from, to] = [random(body.length), random(body.length)].sort((a, b) => a - b);
    return Buffer.concat([body.subarray(0, to), body.subarray(from)]);
  },
  'hostile number': ({ body }, random) =>
    replaceOne(body, /(?<=:)"?-?\d+(?:\.\d+)?"?/g, oneOf(HOSTILE_NUMBERS), random),
  'hostile value': ({ body }, random) =>
    replaceOne(body, /(?<=:)(?:"[^"]*"|\d+|true|\[\])/g, oneOf(HOSTILE_VALUES), random),
  'bad id': ({ body }, random) =>
    replaceOne(body, /(?<="(?:traceId|spanId|parentSpanId)":")[^"]*/gi, oneOf(BAD_IDS), random),
  'deeply nested': ({ body }, random) =>
    replaceOne(body, /\{"stringValue":"[^"]*"\}/g, (more) => nested(1 + more(5_000)), random),
  'many attributes': ({ body }, random) =>
    replaceOne(body, /"attributes":\[/g, (more) => `"attributes":[${attributes(more(2_000))},`, random),
  'not UTF-8': ({ body }, random) => {
    const changed = Uint8Array.from(body);
    changed.set(
      [0xff, 0xfe, 0xc0].slice(0, Math.min(3, changed.length)),
      random(Math.max(1, changed.length - 3)),
    );
    return changed;
  },
};
const KINDS = Object.keys(MUTATIONS);
/** Text mutations do not apply to protobuf. */
const OF_TEXT: ReadonlySet<string> = new Set([
  'hostile number',
  'hostile value',
  'bad id',
  'deeply nested',
  'many attributes',
]);

/** An endless sequence of damaged bodies; some declare the wrong encoding. */
export function* mutatedCases(random: Random): Generator<Case, never> {
  const valid = seeds();
  for (;;) {
    const seed = valid[random(valid.length)] as Seed;
    const kind = KINDS[random(KINDS.length)] as string;
    if (seed.encoding === 'protobuf' && OF_TEXT.has(kind)) continue;
    const body = MUTATIONS[kind]?.(seed, random) ?? seed.body;
    const other = seed.encoding === 'json' ? 'protobuf' : 'json';
    yield { kind, encoding: random(50) === 0 ? other : seed.encoding, body };
  }
}
