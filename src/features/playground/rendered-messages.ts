import type { Ctx } from '../../context.ts';
import type { ChatMessage } from '../../core/models/contract.ts';
import { type PromptSettings, settingsOfPrompt } from '../../core/models/index.ts';
import { compileVersions } from '../../core/prompts/index.ts';
import type { ProjectScope } from '../../core/tenancy/index.ts';
import { badRequest } from '../../errors.ts';
import { type PromptBody, renderPrompt } from '../../lib/prompts/fill-template.ts';
import { TemplateError } from '../../lib/prompts/parse-template.ts';
import type { RunInput } from './contract.ts';

/** Messages as they are sent, and the version of the library that they are from. */
export type Rendered = {
  readonly messages: readonly ChatMessage[];
  readonly prompt: { readonly name: string; readonly version: string } | null;
  /** What the version says about its model; null for stated messages. */
  readonly settings: PromptSettings | null;
};

/**
 * The messages of a request: those that it states, or else those of a version of the library, with their variables
 * filled.
 * @throws AppError 400 for missing values, 404 for an unknown prompt, 409 for includes that cannot be resolved
 */
export async function renderedMessages(
  ctx: Ctx,
  scope: ProjectScope,
  input: Pick<RunInput, 'messages' | 'prompt' | 'variables'>,
): Promise<Rendered> {
  const { messages, prompt, variables } = input;
  if (messages !== undefined) {
    const version = prompt?.version;
    const from =
      version === undefined || prompt === undefined ? null : { name: prompt.name, version: String(version) };
    const said = variables === undefined ? messages : filled(messages, variables);
    return { messages: said, prompt: from, settings: null };
  }
  if (prompt === undefined) throw badRequest('Give messages, or the prompt to run');
  const { candidates, name } = await compileVersions(ctx, scope.projectId, prompt);
  const [first, ...others] = candidates;
  if (first === undefined || others.length > 0)
    throw badRequest(
      `prompt: the label ${prompt.label ?? 'production'} names several versions; name one with version`,
    );
  return {
    messages: asMessages(render(first, variables ?? {})),
    prompt: { name, version: String(first.version) },
    settings: settingsOfPrompt(ctx, first.config),
  };
}

type Values = Readonly<Record<string, string>>;

/** Keeps the tool calls of messages. */
function filled(messages: readonly ChatMessage[], variables: Values): ChatMessage[] {
  const rendered = render({ messages }, variables);
  return messages.map((message, place) => ({
    ...message,
    content: typeof rendered === 'string' ? rendered : (rendered[place]?.content ?? ''),
  }));
}

function render(
  body: { template?: string | undefined; messages?: PromptMessages | undefined },
  variables: Values,
) {
  const { template, messages = [] } = body;
  const given: PromptBody = template === undefined ? { messages } : { template };
  try {
    return renderPrompt(given, variables);
  } catch (error) {
    if (error instanceof TemplateError) throw badRequest(error.message);
    throw error;
  }
}
type PromptMessages = Extract<PromptBody, { messages: unknown }>['messages'];

const asMessages = (
  rendered: string | readonly { readonly role: string; readonly content: string }[],
): ChatMessage[] =>
  typeof rendered === 'string'
    ? [{ role: 'user', content: rendered }]
    : rendered.map(({ role, content }) => {
        if (role === 'tool')
          throw badRequest('A prompt with results of tools can only run with its messages stated');
        return {
          role: role === 'developer' ? 'system' : role === 'user' || role === 'assistant' ? role : 'system',
          content,
        };
      });
