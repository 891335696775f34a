import { MAX_DEPTH, MAX_PROPERTIES, PROPERTY_TYPES, type ToolProperty } from './contract.ts';

type JsonObject = { readonly [key: string]: unknown };
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names of properties; others are left out, so that no text of a prompt is kept as a name. */
const NAME = /^[\w$.:-]{1,64}$/;
const TYPES: ReadonlySet<string> = new Set(PROPERTY_TYPES);

/** The properties of a JSON Schema by path: names, types and which are required, and nothing else of it. */
export function readStructure(schema: unknown): ToolProperty[] {
  const found: ToolProperty[] = [];
  visit(schema, '', { found, depth: 0 });
  return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

type Visit = { readonly found: ToolProperty[]; readonly depth: number };

function visit(schema: unknown, at: string, { found, depth }: Visit): void {
  if (!isObject(schema) || depth >= MAX_DEPTH) return;
  const below = { found, depth: depth + 1 };
  if (isObject(schema.items)) {
    note(schema.items, `${at}[]`, { found, required: false });
    visit(schema.items, `${at}[]`, below);
  }
  if (!isObject(schema.properties)) return;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!NAME.test(name)) continue;
    const path = at === '' ? name : `${at}.${name}`;
    note(property, path, { found, required: required.has(name) });
    visit(property, path, below);
  }
}

function note(
  schema: unknown,
  path: string,
  { found, required }: { readonly found: ToolProperty[]; readonly required: boolean },
): void {
  if (found.length < MAX_PROPERTIES) found.push({ path, type: typeOf(schema), required });
}

function typeOf(schema: unknown): string {
  if (!isObject(schema)) return 'any';
  const alternatives = schema.anyOf ?? schema.oneOf;
  const given = Array.isArray(alternatives)
    ? alternatives.flatMap((one) => (isObject(one) ? one.type : []))
    : schema.type;
  const types = (Array.isArray(given) ? given : [given]).filter(
    (type): type is string => typeof type === 'string' && TYPES.has(type),
  );
  return types.length === 0 ? 'any' : [...new Set(types)].sort().join('|');
}
