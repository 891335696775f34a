import { isObject } from '../messages/message.ts';

/** A tool in one form for all providers. */
export type NamedTool = {
  readonly name: string;
  readonly description?: string;
  readonly parameters: Record<string, unknown>;
};

/** A tool in our form, in that of OpenAI (`function`) or of Anthropic (`input_schema`). */
export function readTool(given: unknown): NamedTool {
  const outer = isObject(given) ? given : {};
  const tool = isObject(outer.function) ? outer.function : outer;
  const parameters = tool.parameters ?? tool.input_schema ?? {};
  return {
    name: String(tool.name ?? ''),
    ...(typeof tool.description === 'string' && { description: tool.description }),
    parameters: isObject(parameters) ? { ...parameters } : {},
  };
}

/** The JSON Schema of an output format in our form or in that of OpenAI (`json_schema`); undefined without one. */
export function readOutputSchema(format: unknown): unknown {
  if (!isObject(format)) return undefined;
  return format.schema ?? (isObject(format.json_schema) ? format.json_schema.schema : undefined);
}
