import type { ToolCall } from '../../../lib/simulations/definition.ts';

/** What a suite says that a tool answers, as text; undefined if it says nothing. */
export function resultOf(results: Readonly<Record<string, unknown>>, { name }: ToolCall): string | undefined {
  if (!Object.hasOwn(results, name)) return undefined;
  const result = results[name];
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
}
