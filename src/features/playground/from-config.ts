import type { PromptConfig } from '../../core/prompts/contract.ts';
import { readOutputSchema } from '../../lib/prompts/read-settings.ts';
import type { Column, Draft } from './draft.ts';

/** The tools and the output schema of a version, as the editor shows them. */
export function toolsAndSchema({ tools, responseFormat }: PromptConfig): Pick<Draft, 'tools' | 'schema'> {
  const schema = readOutputSchema(responseFormat);
  return {
    tools: tools === undefined ? '' : JSON.stringify(tools, null, 2),
    schema: schema === undefined ? '' : JSON.stringify(schema, null, 2),
  };
}

/** The settings of a version that a column has fields for. */
export const settingsOf = ({ temperature, maxTokens }: PromptConfig): Partial<Column> => ({
  ...(temperature !== undefined && { temperature }),
  ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
});

type Named = { readonly id: string; readonly model: string };

/** The model that a stored name means: its id, or the name that the provider knows. Undefined if the server has none. */
export const findNamed = (models: readonly Named[], name: string | null | undefined): string | undefined =>
  models.find(({ id, model }) => id === name || model === name)?.id;
