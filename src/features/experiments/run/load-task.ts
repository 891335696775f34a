import { createHash } from 'node:crypto';
import type { Ctx } from '../../../context.ts';
import type { ReadItem } from '../../../core/datasets/index.ts';
import type { ChatMessage, ModelConfig } from '../../../core/models/contract.ts';
import { compileVersions } from '../../../core/prompts/index.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import { AppError, badRequest } from '../../../errors.ts';
import { type PromptBody, partsOf, renderPrompt, variablesOf } from '../../../lib/prompts/fill-template.ts';
import { TemplateError } from '../../../lib/prompts/parse-template.ts';
import type { StoredTask } from '../table.ts';

/** A prompt task that is ready to run. */
export type LoadedTask = {
  readonly prompt: { readonly name: string; readonly version: string };
  readonly model: string;
  readonly config: ModelConfig;
  readonly body: PromptBody;
};

type PromptTask = Extract<StoredTask, { readonly kind: 'prompt' }>;

/** The text of a prompt version, with the settings of the experiment. Throws AppError 404, 409. */
export async function loadTask(ctx: Ctx, scope: ProjectScope, task: PromptTask): Promise<LoadedTask> {
  const { prompt: name, version, model, config } = task;
  const { candidates } = await compileVersions(ctx, scope.projectId, { name, version });
  const [found] = candidates;
  if (found === undefined) throw badRequest(`${name} has no version ${version}`);
  const body: PromptBody =
    found.template === undefined ? { messages: found.messages ?? [] } : { template: found.template };
  return { prompt: { name, version: String(version) }, model, config, body };
}

/**
 * The messages for an item: fields of an object are variables, any other input is the variable `input`.
 * @throws AppError 400 for an input without a variable that the prompt has
 */
export function messagesFor(
  { body }: Pick<LoadedTask, 'body'>,
  { id, input }: Pick<ReadItem, 'id' | 'input'>,
): ChatMessage[] {
  const fields =
    typeof input === 'object' && input !== null && !Array.isArray(input)
      ? (input as Record<string, unknown>)
      : {};
  try {
    const hasValue = (name: string): boolean => (fields[name] ?? null) !== null;
    const missing = variablesOf(partsOf(body).flat()).filter((name) => name !== 'input' && !hasValue(name));
    if (missing.length > 0) throw badRequest(missingText(id, missing, Object.keys(fields).filter(hasValue)));
    const rendered = renderPrompt(body, { input, ...fields });
    if (typeof rendered === 'string') return [{ role: 'user', content: rendered }];
    return rendered.map(({ role, content }) => ({
      role: role === 'user' || role === 'assistant' ? role : 'system',
      content,
    }));
  } catch (error) {
    if (error instanceof TemplateError) throw new AppError(400, error.message);
    throw error;
  }
}

/** Names that an error lists. */
const MAX_NAMES = 5;

function missingText(id: string, missing: readonly string[], found: readonly string[]): string {
  const list = (names: readonly string[]): string =>
    names.slice(0, MAX_NAMES).join(', ') + (names.length > MAX_NAMES ? ' …' : '');
  const has = found.length === 0 ? 'its input has no fields' : `the fields of its input are ${list(found)}`;
  return `The item ${id} has no value for ${list(missing)}, which the prompt names; ${has}. Add ${missing.length === 1 ? 'it' : 'them'} to the inputs of the dataset, or choose another prompt`;
}

export type RunPlace = {
  readonly experimentId: string;
  readonly no: number;
  readonly repetition: number;
  readonly round: number;
};

/** Name of a call of a run: an answer under it is not paid for again. */
export const callKey = ({ experimentId, no, repetition, round }: RunPlace, what: string): string =>
  `experiment/${experimentId}/${no}/${repetition}/${round}/${what}`;

/** The trace of a run's calls: the same after a crash. */
export const traceOf = ({ experimentId, no, repetition, round }: RunPlace): string =>
  createHash('sha256').update(`${experimentId}/${no}/${repetition}/${round}`).digest('hex').slice(0, 32);
