import { z } from 'zod';

/** Whole numbers from 0 to below `max`. */
export type Below = (max: number) => number;

/** JSON Schema, as far as values are made from it. */
type Shape = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly format?: string;
};

/** The input of a schema as JSON Schema. */
export const shapeOf = (schema: z.ZodType): Shape =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Shape;

const ODD: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  '0',
  -1,
  0,
  1.5,
  2 ** 53,
  -1e308,
  [],
  {},
  [[[[[]]]]],
  { __proto__: null, constructor: { prototype: 1 } },
  '\u0000',
  'a\u0000b',
  'a\u0007\u001b[31mb',
  '\ud800',
  'ÿ\u202e\n\r\t',
  "' OR 1=1 --",
  '../../etc/passwd',
  '%00%2e%2e%2f',
  'x'.repeat(300),
  'y'.repeat(20_000),
  Array.from({ length: 2_000 }, (_, i) => i),
  Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i])),
];
const TEXTS = [
  'a',
  'gpt-4o',
  'openai',
  'ada@example.com',
  'new@example.org',
  'correct horse battery',
  '123456',
];
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'date-time': [
    '2026-06-15T00:00:00Z',
    '2026-06-01T12:00:00.5Z',
    '2030-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ],
  date: ['2026-06-15', '2026-02-30'],
  email: ['ada@example.com', 'new@example.org'],
  uri: ['https://example.com/', 'javascript:alert(1)'],
};

const pick = <T>(below: Below, list: readonly T[]): T => list[below(list.length)] as T;

/** A value of no particular kind. */
export const oddValue = (below: Below): unknown => pick(below, ODD);

/** `every`: about one of so many parts is odd, missing or too much. `ids`: what texts may name. */
type Making = { readonly every: number; readonly ids: readonly string[] };

/** A value that mostly fits the schema. */
export function makeValue(shape: Shape, below: Below, making: Making): unknown {
  if (below(making.every) === 0) return oddValue(below);
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices !== undefined) return makeValue(pick(below, choices), below, making);
  if (shape.allOf !== undefined)
    return Object.assign({}, ...shape.allOf.map((part) => makeValue(part, below, making)));
  if (shape.const !== undefined) return shape.const;
  if (shape.enum !== undefined) return pick(below, shape.enum);
  const type = typeof shape.type === 'object' ? pick(below, shape.type) : shape.type;
  if (type === 'object') return objectOf(shape, below, making);
  if (type === 'array')
    return Array.from({ length: below(4) }, () => makeValue(shape.items ?? {}, below, making));
  if (type === 'string') return pick(below, FORMATS[shape.format ?? ''] ?? [...TEXTS, ...making.ids]);
  if (type === 'integer' || type === 'number') return pick(below, [0, 1, 7, 30, 100, 0.5, 1e6]);
  if (type === 'boolean') return below(2) === 0;
  return type === 'null' ? null : oddValue(below);
}

function objectOf(shape: Shape, below: Below, making: Making): Record<string, unknown> {
  const { every } = making;
  const made: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(shape.properties ?? {})) {
    const isRequired = shape.required?.includes(name) === true;
    if (isRequired ? below(every * 2) > 0 : below(2) === 0) made[name] = makeValue(part, below, making);
  }
  if (below(every) === 0) made[pick(below, ['extra', '__proto__', 'constructor', ''])] = oddValue(below);
  return made;
}
