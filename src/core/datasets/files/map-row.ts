import type { Mapping } from '../contract.ts';

/** Names that columns without a mapping may have. */
const KNOWN = {
  input: ['input'],
  expectedOutput: ['expectedOutput', 'expected_output', 'expected'],
  metadata: ['metadata'],
  split: ['split'],
  id: ['id'],
  sourceTraceId: ['sourceTraceId', 'source_trace_id'],
  sourceSpanId: ['sourceSpanId', 'source_span_id'],
  userId: ['userId', 'user_id'],
} as const;

/** Written by exports, and no part of an item. */
const IGNORED = ['no', 'version', 'createdAt'];

type Fields = Readonly<Record<string, unknown>>;
type Target = keyof typeof KNOWN;

/**
 * Fills a mapping with what the columns' names say. Without a column `input`, all columns without a use are the input.
 */
export function completeMapping(columns: readonly string[], given: Mapping): Mapping {
  const named = (target: Target): string | undefined => KNOWN[target].find((name) => columns.includes(name));
  const id = given.id ?? named('id');
  const split = given.split ?? named('split');
  const expectedOutput = given.expectedOutput ?? named('expectedOutput');
  const used = new Set([
    ...[id, split, expectedOutput, given.metadata].flat(),
    ...IGNORED,
    ...(['metadata', 'sourceTraceId', 'sourceSpanId', 'userId'] as const).map(named),
  ]);
  const input = given.input ?? named('input') ?? columns.filter((name) => !used.has(name));
  return {
    input,
    ...(expectedOutput !== undefined && { expectedOutput }),
    ...(given.metadata !== undefined && { metadata: given.metadata }),
    ...(split !== undefined && { split }),
    ...(id !== undefined && { id }),
  };
}

/** The item that a row means; not checked. */
export function mapRow(fields: Fields, mapping: Mapping, defaultSplit: string | undefined): Fields {
  const own = (name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);
  const known = (target: Target): unknown => KNOWN[target].map(own).find((value) => value != null);
  const metadata = mapping.metadata === undefined ? known('metadata') : pick(fields, mapping.metadata);
  const item = {
    id: mapping.id === undefined ? undefined : plain(own(mapping.id)),
    input: mapping.input === undefined ? undefined : pickValue(fields, mapping.input),
    expectedOutput:
      mapping.expectedOutput === undefined ? undefined : pickValue(fields, mapping.expectedOutput),
    metadata,
    split: (mapping.split === undefined ? undefined : plain(own(mapping.split))) ?? defaultSplit,
    sourceTraceId: known('sourceTraceId'),
    sourceSpanId: known('sourceSpanId'),
    userId: known('userId'),
  };
  return Object.fromEntries(
    Object.entries(item).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** A number of a file may be an id or a split. */
const plain = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);

const pick = (fields: Fields, columns: readonly string[]): Fields =>
  Object.fromEntries(
    columns.flatMap((name) => (Object.hasOwn(fields, name) ? [[name, fields[name]] as const] : [])),
  );

function pickValue(fields: Fields, columns: string | readonly string[]): unknown {
  if (typeof columns === 'string') return Object.hasOwn(fields, columns) ? fields[columns] : undefined;
  const picked = pick(fields, columns);
  return Object.keys(picked).length === 0 ? undefined : picked;
}
