import { z } from 'zod';

/** Types of JSON Schema; `any` where a schema names none. */
export const PROPERTY_TYPES = [
  'any',
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
] as const;

/** Most properties of a schema that are kept, and the deepest. */
export const MAX_PROPERTIES = 200;
export const MAX_DEPTH = 6;

const propertySchema = z.object({
  path: z.string().describe('Where it is: `city`, `user.name`; `tags[]` are the items of `tags`.'),
  type: z.string().describe('Types, such as `string` or `integer|null`; `any` if the schema names none.'),
  required: z.boolean().describe('Whether the object that holds it must have it.'),
});
export type ToolProperty = z.infer<typeof propertySchema>;

/** A schema of a tool's arguments: its structure, without descriptions, defaults and allowed values. */
export const toolSchemaSchema = z.object({
  id: z.string().describe('Fingerprint of the properties.'),
  firstSeen: z.string().describe('First call of a model that was offered it, ISO 8601 UTC.'),
  lastSeen: z.string().describe('Last such call, up to an hour behind, ISO 8601 UTC.'),
  properties: z.array(propertySchema).describe('Properties by path; at most 200.'),
  added: z.array(z.string()).describe('Paths that the schema before did not have.'),
  removed: z.array(z.string()).describe('Paths that only the schema before had.'),
  changed: z.array(z.string()).describe('Paths with another type, or required in one of the two only.'),
});
export type ToolSchema = z.infer<typeof toolSchemaSchema>;
