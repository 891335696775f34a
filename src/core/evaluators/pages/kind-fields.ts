import type { EvaluatorKind } from '../config/contract.ts';

/** A setting of a kind in the form. `lines`: a list, one per line. */
export type KindField = {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'lines' | 'json' | 'number' | 'yes-no' | 'choice';
  readonly help?: string;
  readonly choices?: readonly string[];
  readonly required?: true;
};

const path: KindField = {
  name: 'path',
  label: 'Part of a JSON output',
  type: 'text',
  help: 'Such as answer.text. Empty: all of it.',
};
const ignoreCase: KindField = { name: 'ignoreCase', label: 'Letters match in either case', type: 'yes-no' };

/** Kinds whose settings are a list of fields. */
export type ListedKind = Exclude<EvaluatorKind, 'judge' | 'webhook'>;

/** The settings of the other kinds, in the order of the form. */
export const KIND_FIELDS: Readonly<Record<ListedKind, readonly KindField[]>> = {
  exact: [ignoreCase, path],
  contains: [
    {
      name: 'texts',
      label: 'Texts, one per line',
      type: 'lines',
      help: 'Empty: the expected output, which only experiments have.',
    },
    { name: 'mode', label: 'Must be there', type: 'choice', choices: ['all', 'any', 'none'] },
    ignoreCase,
    path,
  ],
  regex: [
    {
      name: 'pattern',
      label: 'Pattern',
      type: 'text',
      required: true,
      help: 'RE2 syntax, without lookaround and backreferences.',
    },
    { name: 'mode', label: 'The pattern', type: 'choice', choices: ['matches', 'absent'] },
    ignoreCase,
    path,
  ],
  json_schema: [{ name: 'schema', label: 'JSON Schema', type: 'json', required: true }, path],
  numeric: [
    { name: 'tolerance', label: 'Largest difference', type: 'number' },
    { name: 'relative', label: 'As a fraction of the expected number', type: 'yes-no' },
    path,
  ],
  similarity: [{ name: 'method', label: 'Compare', type: 'choice', choices: ['words', 'characters'] }, path],
  latency: [
    { name: 'maxMs', label: 'Limit in ms', type: 'number', help: 'Empty: the score is the latency.' },
  ],
  guardrail: [
    {
      name: 'guardrail',
      label: 'Name of the guardrail',
      type: 'text',
      required: true,
      help: 'It must be on. Its checks by models and webhooks are left out.',
    },
    { name: 'stage', label: 'The output is checked as', type: 'choice', choices: ['output', 'input'] },
    path,
  ],
  cost: [{ name: 'maxUsd', label: 'Limit in USD', type: 'number', help: 'Empty: the score is the cost.' }],
};

export const KIND_LABELS: Readonly<Record<EvaluatorKind, string>> = {
  judge: 'Judge: a model reads the output',
  exact: 'Exact match with the expected output',
  contains: 'Contains texts',
  regex: 'Regular expression',
  json_schema: 'JSON Schema',
  numeric: 'Number close to the expected one',
  similarity: 'Similar to the expected output',
  latency: 'Latency',
  cost: 'Cost',
  guardrail: 'Guardrail: nothing is found in the output',
  webhook: 'Webhook: your own server judges',
};

/** A setting as the form shows it. */
export function toText(value: unknown, { type }: KindField): string {
  if (value === undefined || value === null) return '';
  if (type === 'lines') return Array.isArray(value) ? value.join('\n') : '';
  return type === 'json' ? JSON.stringify(value, null, 2) : String(value);
}

/** A setting as the API takes it; undefined for an empty field. @throws Error for a text that is no JSON */
export function fromText(text: string, { type, label }: KindField): unknown {
  if (text.trim() === '') return undefined;
  if (type === 'number') return Number(text);
  if (type === 'yes-no') return text === 'true';
  if (type === 'lines') return text.split('\n').filter((line) => line !== '');
  if (type !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${label}: ${error instanceof Error ? error.message : 'no JSON'}`);
  }
}
