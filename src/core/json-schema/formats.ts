import { format } from '@cfworker/json-schema';

export type Test = (text: string) => boolean;

/** Formats that are checked, all in linear time; others are annotations, as the standard allows. */
const KEPT: ReadonlySet<string> = new Set([
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);

export const isChecked = (name: unknown): boolean => typeof name === 'string' && KEPT.has(name);

/**
 * Runs a validation during which the validator knows further formats. It has one table of them for all schemas, so they
 * are removed again; `run` must not wait for anything.
 */
export function withFormats<T>(formats: ReadonlyMap<string, Test>, run: () => T): T {
  for (const [name, test] of formats) format[name] = test;
  try {
    return run();
  } finally {
    for (const name of formats.keys()) delete format[name];
  }
}
