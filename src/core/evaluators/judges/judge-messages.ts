import { badRequest } from '../../../errors.ts';
import { type Part, parseTemplate, TemplateError } from '../../../lib/prompts/parse-template.ts';
import type { ChatMessage } from '../../models/contract.ts';
import { JUDGE_VARIABLES, type JudgeOutput, type RulesOf } from '../config/contract.ts';
import { asText, type Sample } from '../run/sample.ts';

type Variable = (typeof JUDGE_VARIABLES)[number];
const isVariable = (name: string): name is Variable => (JUDGE_VARIABLES as readonly string[]).includes(name);

/** @throws AppError 400 for a template that cannot be read, includes or another variable, or none of the output */
export function checkTemplates({ messages }: RulesOf<'judge'>['config']): void {
  const names = messages.flatMap(({ content }, place) => {
    try {
      return parseTemplate(content).flatMap((part) => nameOf(part, place));
    } catch (error) {
      if (error instanceof TemplateError)
        throw badRequest(`config.messages.${place}.content: ${error.message}`);
      throw error;
    }
  });
  if (!names.includes('output'))
    throw badRequest('config.messages: must contain {{output}}, which is judged');
}

function nameOf(part: Part, place: number): Variable[] {
  if (part.kind === 'text') return [];
  if (part.kind === 'include')
    throw badRequest(
      `config.messages.${place}.content: a judge has no includes; write the text of ${part.name}`,
    );
  if (isVariable(part.name)) return [part.name];
  throw badRequest(
    `config.messages.${place}.content: there is no variable ${part.name}; a judge has ${JUDGE_VARIABLES.join(', ')}`,
  );
}

/** The messages for a judge, or the name of what the sample lacks. */
export function judgeMessages(
  { messages }: RulesOf<'judge'>['config'],
  output: JudgeOutput,
  sample: Sample,
): ChatMessage[] | { readonly missing: Variable } {
  const made: ChatMessage[] = [];
  for (const { role, content } of messages) {
    const pieces: string[] = [];
    for (const part of parseTemplate(content)) {
      if (part.kind === 'text') pieces.push(part.text);
      if (part.kind !== 'variable' || !isVariable(part.name)) continue;
      const value = sample[part.name];
      if (value === undefined || value === null) return { missing: part.name };
      pieces.push(fence(asText(value)));
    }
    made.push({ role, content: pieces.join('') });
  }
  made.push({ role: 'user', content: formText(output) });
  return made;
}

/** What is judged is data: it cannot close the tag that the template puts around it. */
const fence = (text: string): string =>
  text.replaceAll(/<(\/?\s*(?:input|output|expected|context)\s*)>/gi, '‹$1›');

function formText({ type, min, max, categories }: JudgeOutput): string {
  const range = min === null && max === null ? '' : ` from ${min ?? 'any number'} to ${max ?? 'any number'}`;
  const value =
    type === 'boolean'
      ? 'true or false'
      : type === 'category'
        ? `one of ${(categories ?? []).map((one) => JSON.stringify(one)).join(', ')}`
        : `a number${range}`;
  return `Answer with a JSON object: "reason", at most two sentences, then "value", ${value}.`;
}

/** The JSON Schema of a judge's answer. */
export const answerSchema = ({ type, min, max, categories }: JudgeOutput): Record<string, unknown> => ({
  type: 'object',
  properties: {
    reason: { type: 'string' },
    value:
      type === 'boolean'
        ? { type: 'boolean' }
        : type === 'category'
          ? { type: 'string', enum: categories ?? [] }
          : { type: 'number', ...(min !== null && { minimum: min }), ...(max !== null && { maximum: max }) },
  },
  required: ['reason', 'value'],
  additionalProperties: false,
});
