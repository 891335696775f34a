import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/** Schemas of one document. Those with an id (`.meta({ id })`) are written once, under `components`. */
export type Schemas = {
  /** The schema of a request (`input`) or a reply (`output`). */
  convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema;
  /** Schemas by id; read them after all conversions. */
  readonly components: Readonly<Record<string, unknown>>;
};

const PREFIX = '#/components/schemas/';

/** Throws if a schema with an id has different shapes in requests and replies; it then needs two ids. */
export function createSchemas(): Schemas {
  const components: Record<string, unknown> = {};

  function convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _, ...whole } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override });
    const { $defs = {}, ...rest } = withRefs(whole);
    for (const [id, shape] of Object.entries($defs as Record<string, JsonSchema>)) {
      const { id: _id, ...named } = shape;
      if (id in components && !Bun.deepEquals(components[id], named))
        throw new Error(`the schema ${id} has different shapes in requests and replies`);
      components[id] = named;
    }
    return rest;
  }

  return { convert, components };
}

/** Removes noise: the bounds of JavaScript's integers, and patterns that a format implies. */
function override({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
}

const withRefs = (schema: object): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${PREFIX}`));
