import type { Suite } from './definition.ts';
import { planProblem } from './plan.ts';
import { suiteSchema } from './schema.ts';

/** A suite that cannot be used. The message names the place, such as `scenarios[2] "Refund": checks[0].pattern`. */
export class SuiteError extends Error {
  override readonly name = 'SuiteError';
}

/**
 * Reads a suite, such as from a parsed file.
 * @throws SuiteError that names the first place that is wrong
 */
export function readSuite(given: unknown): Suite {
  const read = suiteSchema.safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new SuiteError(`${placeOf(issue?.path ?? [], given)}${issue?.message ?? 'is not valid'}`);
  }
  const suite: Suite = read.data;
  const problem = planProblem(suite);
  if (problem !== null) throw new SuiteError(`${placeOf(problem.path, given)}${problem.message}`);
  return suite;
}

const nameAt = (given: unknown, index: PropertyKey | undefined): string | null => {
  const list = (given as { scenarios?: unknown } | null)?.scenarios;
  const found: unknown = Array.isArray(list) ? list[Number(index)] : undefined;
  const name = (found as { name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name : null;
};

const written = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (all, step) =>
      typeof step === 'number' ? `${all}[${step}]` : all === '' ? String(step) : `${all}.${String(step)}`,
    '',
  );

/** `scenarios[2] "Refund": checks[0].pattern: `; scenarios are counted from 0, as in the file's path. */
function placeOf(path: readonly PropertyKey[], given: unknown): string {
  const [first, index, ...inner] = path;
  const name = first === 'scenarios' ? nameAt(given, index) : null;
  if (name === null) return path.length === 0 ? '' : `${written(path)}: `;
  return `scenarios[${String(index)}] ${JSON.stringify(name)}: ${inner.length === 0 ? '' : `${written(inner)}: `}`;
}
