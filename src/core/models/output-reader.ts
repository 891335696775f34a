import { compileSchema, type SchemaCheck, SchemaError } from '../json-schema/index.ts';
import type { ModelConfig, ModelToolCall } from './contract.ts';

type Said = { readonly text: string; readonly toolCalls: readonly ModelToolCall[] };

/** Compares the output of a call with the form that was asked for. */
export type OutputReader = {
  /** Why the output cannot be compared with the schema; null if it can. */
  readonly warning: string | null;
  /** How the output differs from the form; null if it does not. Calls of tools have none. */
  problemIn(said: Said): string | null;
};

const ANY: OutputReader = { warning: null, problemIn: () => null };

export function outputReader({ responseFormat }: ModelConfig): OutputReader {
  if (responseFormat?.type !== 'json') return ANY;
  const { schema } = responseFormat;
  const compiled = schema === undefined ? null : compiledOr(schema);
  const check = typeof compiled === 'function' ? compiled : () => null;
  return {
    warning: compiled instanceof SchemaError ? compiled.message : null,
    problemIn: ({ text, toolCalls }) => {
      if (toolCalls.length > 0) return null;
      const read = readJson(text);
      return read.problem ?? check(read.value);
    },
  };
}

function compiledOr(schema: unknown): SchemaCheck | SchemaError {
  try {
    return compileSchema(schema);
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
}

type Read = { readonly value: unknown; readonly problem: string | null };

/** The JSON of an output. Some models put it into a code block of Markdown. */
export function readJson(text: string): Read {
  const inBlock = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
  try {
    return { value: JSON.parse(inBlock), problem: null };
  } catch {
    return { value: undefined, problem: text.trim() === '' ? 'it is empty' : 'it is not JSON' };
  }
}
