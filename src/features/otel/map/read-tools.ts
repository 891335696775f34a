import { type OfferedTool, readDefinitions, type ToolDefinition } from '../../../core/tool-schemas/index.ts';
import type { Attributes } from '../read/attributes.ts';
import type { Span } from '../read/span.ts';

/** Attributes with the tools that a call of a model was offered. */
const WHOLE = ['gen_ai.tool.definitions', 'gen_ai.request.available_tools', 'ai.prompt.tools'] as const;
/** The same, an attribute per tool: OpenInference, older OpenLLMetry. */
const SPREAD =
  /^(?:llm\.tools\.\d{1,3}\.tool\.json_schema|llm\.request\.functions\.\d{1,3}\.(?:name|parameters|arguments))$/;
const MAX_OFFERED = 500;

/** The tools that the calls of a request were offered, each schema once. Most requests repeat the same definitions. */
export function readTools(spans: readonly Span[]): OfferedTool[] {
  const read = new Map<string, readonly ToolDefinition[]>();
  const offered = new Map<string, OfferedTool>();
  for (const { attributes, start } of spans) {
    const text = definitionsIn(attributes);
    if (text === null) continue;
    const known = read.get(text) ?? readDefinitions(text);
    read.set(text, known);
    const at = Number(start / 1_000_000n);
    for (const definition of known) {
      const key = JSON.stringify(definition);
      const { first, last } = offered.get(key) ?? { first: at, last: at };
      if (offered.size < MAX_OFFERED || offered.has(key))
        offered.set(key, { ...definition, first: Math.min(first, at), last: Math.max(last, at) });
    }
  }
  return [...offered.values()];
}

/** The definitions of a span as JSON text; null without any. */
function definitionsIn(attributes: Attributes): string | null {
  for (const name of WHOLE) {
    const value = attributes.get(name);
    if (value !== undefined && value !== null)
      return typeof value === 'string' ? value : JSON.stringify(value);
  }
  let found: Map<string, Record<string, unknown>> | null = null;
  for (const [name, value] of attributes) {
    if (!name.startsWith('llm.') || !SPREAD.test(name)) continue;
    found ??= new Map();
    const steps = name.split('.');
    const last = steps.at(-1) ?? '';
    if (last === 'json_schema') found.set(name, { json: value });
    else found.set(steps[3] ?? '', { ...found.get(steps[3] ?? ''), [last]: value });
  }
  return found === null ? null : JSON.stringify([...found.values()].map((one) => one.json ?? one));
}
