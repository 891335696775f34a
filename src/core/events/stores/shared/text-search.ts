import type { StoredEvent } from '../../contract.ts';

/** The texts of an event in which a search looks. */
const SEARCHED = [
  'name',
  'operation',
  'kind',
  'model',
  'provider',
  'agent',
  'tool',
  'status',
  'error_code',
  'error_message',
  'input',
  'output',
] as const satisfies readonly (keyof StoredEvent)[];

/** Tells the events that have a text in their names, errors, prompts and completions; letters match in either case. */
export function textSearch(text: string): (event: StoredEvent) => boolean {
  const sought = text.toLowerCase();
  return (event) => SEARCHED.some((field) => holds(event[field], sought));
}

/** Whether a text, or one in a JSON value, has another in it. Numbers are compared as they are written. */
function holds(value: unknown, sought: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(sought);
  if (typeof value === 'number') return String(value).includes(sought);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((item) => holds(item, sought));
}
