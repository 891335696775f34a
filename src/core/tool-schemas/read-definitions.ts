import { registryName } from '../events/index.ts';
import type { ToolProperty } from './contract.ts';
import { readStructure } from './read-structure.ts';

/** A tool as a call of a model was offered it. */
export type ToolDefinition = { readonly tool: string; readonly properties: readonly ToolProperty[] };

type JsonObject = { readonly [key: string]: unknown };
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TOOL = /^[\w$.:/-]{1,128}$/;
/** Longer definitions are not read, and no more tools of one. */
const MAX_CHARS = 500_000;
const MAX_TOOLS = 200;
/** What clients call the schema of a tool's arguments; `arguments` is what older instrumentations of OpenLLMetry do. */
const SCHEMAS = [
  'parameters',
  'inputSchema',
  'input_schema',
  'parametersJsonSchema',
  'schema',
  'arguments',
] as const;

/**
 * Reads definitions of tools: a list or one of them, each an object or JSON text, in the forms of OpenAI, Anthropic,
 * Google and the Vercel AI SDK. What is no definition is left out.
 */
export function readDefinitions(value: unknown): ToolDefinition[] {
  const given = fromJson(value);
  const list = Array.isArray(given) ? given.slice(0, MAX_TOOLS) : [given];
  return list.flatMap((one) => readOne(fromJson(one)));
}

function readOne(given: unknown): ToolDefinition[] {
  if (!isObject(given)) return [];
  const declared = given.functionDeclarations ?? given.function_declarations;
  if (Array.isArray(declared)) return declared.slice(0, MAX_TOOLS).flatMap(readOne);
  const own = isObject(given.function) ? given.function : given;
  if (typeof own.name !== 'string' || !TOOL.test(own.name)) return [];
  const tool = registryName(own.name);
  const schema = SCHEMAS.map((name) => fromJson(own[name])).find(isObject);
  if (tool === null || schema === undefined) return [];
  return [{ tool, properties: readStructure(isObject(schema.jsonSchema) ? schema.jsonSchema : schema) }];
}

function fromJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value.length > MAX_CHARS || !/^\s*[[{]/.test(value)) return null;
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}
