import { badRequest } from '../../../errors.ts';
import { jsonProblem } from '../../../lib/json-limits.ts';
import type { Suite } from '../../../lib/simulations/definition.ts';
import { readSuite, SuiteError } from '../../../lib/simulations/read-suite.ts';
import type { SuiteBody } from '../contract.ts';

const LIMITS = { maxDepth: 32, maxKeys: 50_000 };

export type WrittenSuite = { readonly suite: Suite; readonly source: string };

/** A suite and its text, each made of the other. Throws AppError 400 that names the place. */
export function writtenSuite({ suite, source }: Pick<SuiteBody, 'suite' | 'source'>): WrittenSuite {
  try {
    if (source !== undefined) return { suite: readSuite(parseText(source)), source };
    const read = readSuite(suite);
    return { suite: read, source: toYaml(read) };
  } catch (error) {
    if (error instanceof SuiteError) throw badRequest(error.message);
    throw error;
  }
}

/** JSON is YAML, too. */
function parseText(source: string): unknown {
  // An alias can stand for more than memory holds.
  if (/(?:^|[\s[{,:-])&[\w-]+/m.test(source) && /(?:^|[\s[{,:-])\*[\w-]+/m.test(source))
    throw new SuiteError('source: anchors and aliases (&name, *name) are not supported; write the text out');
  let value: unknown;
  try {
    value = Bun.YAML.parse(source);
  } catch (error) {
    throw new SuiteError(`source is neither YAML nor JSON: ${(error as Error).message}`);
  }
  const problem = jsonProblem(value, LIMITS, 'source');
  if (problem !== null) throw new SuiteError(problem);
  return value;
}

export const toYaml = (suite: Suite): string => `${Bun.YAML.stringify(suite, null, 2)}\n`;
