import type { RunRequest } from './contract.ts';
import { type Column, configOf, type Draft } from './draft.ts';

/** The request of a column, or what has to be corrected before it can run. */
export function requestOf(
  draft: Draft,
  column: Column,
  names: readonly string[],
): RunRequest | { readonly problem: string } {
  const { version, model } = column;
  const config = configOf(version === null ? draft : { ...draft, ...toolsOf(version) }, column);
  if ('problem' in config) return config;
  const own = version === null ? names : version.variables;
  const variables = Object.fromEntries(own.map((name) => [name, draft.variables[name] ?? '']));
  if (version !== null)
    return { model, config, variables, prompt: { name: version.name, version: version.version } };
  const { messages, prompt } = draft;
  return {
    model,
    config,
    messages: messages
      .filter(
        ({ content, images, toolCalls }) => content !== '' || images !== undefined || toolCalls !== undefined,
      )
      .map(({ key: _, ...message }) => message),
    variables,
    ...(prompt !== null && { prompt }),
  };
}

const toolsOf = ({ tools, schema }: Pick<Draft, 'tools' | 'schema'>) => ({ tools, schema });

/** The variables of the editor and of all versions that run, each once. */
export const allVariables = (names: readonly string[], columns: readonly Column[]): string[] => [
  ...new Set([
    ...(columns.every(({ version }) => version !== null) ? [] : names),
    ...columns.flatMap(({ version }) => version?.variables ?? []),
  ]),
];
