import { type AlertInput, alertInput } from '../../src/features/alerts/contract.ts';
import { parseInput } from '../../src/http/validate.ts';
import type { BaseContext } from '../command.ts';
import { readSource } from '../read-source.ts';
import { usageError } from '../user-error.ts';

/**
 * A rule from a file in JSON or YAML, or from standard input (`-`).
 * @throws {UserError} usage (2) if it cannot be read or is no rule
 */
export async function readRule(ctx: BaseContext, from: string): Promise<AlertInput> {
  const text = await readSource(ctx, from);
  let value: unknown;
  try {
    // JSON is YAML too.
    value = Bun.YAML.parse(text);
  } catch (error) {
    throw usageError(
      `${from} is neither JSON nor YAML: ${error instanceof Error ? error.message : String(error)}`,
      'Write one rule as POST /v1/alerts takes it',
    );
  }
  try {
    return parseInput(alertInput, value);
  } catch (error) {
    throw usageError(
      `${from}: ${error instanceof Error ? error.message : String(error)}`,
      'The documentation of your server, /docs/alerts, lists all fields',
    );
  }
}
