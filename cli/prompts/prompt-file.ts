import type { PromptFile } from '../../src/core/prompts/files/contract.ts';

/** The end of the name of each file of a prompt. */
export const FILE_END = '.prompt.json';

/** Where the file of a prompt is in a folder; characters that file systems refuse are percent-encoded. */
export const pathOf = (name: string): string =>
  `${name.replace(/[^\p{L}\p{N}_. /-]/gu, (character) => encodeURIComponent(character).replace('*', '%2A'))}${FILE_END}`;

/** Long texts are lists of lines, so that a change of a line is one in git. */
export function formatFile({ template, messages, ...rest }: PromptFile): string {
  const lines = (text: string): string | string[] => (text.includes('\n') ? text.split('\n') : text);
  const file = {
    ...rest,
    ...(template === undefined ? {} : { template: lines(template) }),
    ...(messages === undefined
      ? {}
      : { messages: messages.map(({ role, content }) => ({ role, content: lines(content) })) }),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Reads a file that `formatFile` wrote. Throws SyntaxError for what is no JSON. */
export function parseFile(text: string): unknown {
  const joined = (value: unknown): unknown =>
    Array.isArray(value) && value.every((line) => typeof line === 'string') ? value.join('\n') : value;
  return JSON.parse(text, (key, value: unknown) =>
    key === 'template' || key === 'content' ? joined(value) : value,
  );
}
