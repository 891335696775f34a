import { badRequest } from '../../errors.ts';
import type { BodyLimits } from './body-limits.ts';
import { shapeProblem } from './json-shape.ts';
import { readBody } from './read-body.ts';

/**
 * Reads a JSON body; undefined for an empty one. Throws like `readBody`, and 400 for a body that is not JSON or has too
 * many parts.
 */
export async function readJson(request: Request, limits: BodyLimits): Promise<unknown> {
  const bytes = await readBody(request, limits);
  const problem = shapeProblem(bytes);
  if (problem !== null) throw badRequest(`the body ${problem}`);
  try {
    return bytes.length === 0
      ? undefined
      : JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw badRequest(`the body is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`);
  }
}
