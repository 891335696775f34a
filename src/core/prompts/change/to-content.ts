import { type PromptBody, partsOf, variablesOf } from '../../../lib/prompts/fill-template.ts';
import type { NewVersion } from '../contract.ts';
import type { VersionContent } from './change-op.ts';

/** What a version says, from a parsed body: one of the two is given. */
export const bodyOf = ({ template, messages = [] }: Pick<NewVersion, 'template' | 'messages'>): PromptBody =>
  template === undefined ? { messages } : { template };

/** A version as it is stored. */
export function toContent({ config, message, ...body }: Omit<NewVersion, 'labels'>): VersionContent {
  const parts = partsOf(bodyOf(body)).flat();
  const includes = new Set(parts.flatMap((part) => (part.kind === 'include' ? [part.name] : [])));
  const template = body.template ?? null;
  const messages = body.messages === undefined ? null : JSON.stringify(body.messages);
  const text = JSON.stringify(config);
  return {
    template,
    messages,
    config: text,
    variables: JSON.stringify(variablesOf(parts)),
    includes: JSON.stringify([...includes]),
    message,
    bytes: Buffer.byteLength(template ?? '') + Buffer.byteLength(messages ?? '') + Buffer.byteLength(text),
  };
}
