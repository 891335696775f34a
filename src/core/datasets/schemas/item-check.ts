import { badRequest } from '../../../errors.ts';
import { compileSchema, type SchemaCheck, SchemaError } from '../../json-schema/index.ts';

/** What items of a dataset must fit; null for anything. */
export type ItemSchemas = {
  readonly inputSchema: object | null;
  readonly expectedSchema: object | null;
};
/** Schemas of a change; undefined: as they are. */
export type GivenSchemas = {
  readonly inputSchema?: object | null | undefined;
  readonly expectedSchema?: object | null | undefined;
};
type Checked = { readonly input?: unknown; readonly expectedOutput?: unknown };

/** Time that the items of one request or file may take to be checked. */
const MAX_MS = 20_000;

/** Both schemas as one text, by which a change knows that they are still the same. */
export const schemasText = ({ inputSchema, expectedSchema }: ItemSchemas): string | null =>
  inputSchema === null && expectedSchema === null ? null : JSON.stringify([inputSchema, expectedSchema]);

/** @throws AppError 400 for a schema that cannot be used */
export function checkSchemas({ inputSchema, expectedSchema }: GivenSchemas): void {
  for (const [name, schema] of Object.entries({ inputSchema, expectedSchema })) {
    if (schema == null) continue;
    try {
      compileSchema(schema);
    } catch (error) {
      if (error instanceof SchemaError) throw badRequest(`${name}: ${error.message}`);
      throw error;
    }
  }
}

/**
 * Says what of an item does not fit, with its path; null if all does. An item without an expected output fits any schema
 * of it.
 * @throws AppError 400 if all items together take too long
 */
export function itemCheck({ inputSchema, expectedSchema }: ItemSchemas): (item: Checked) => string | null {
  const ofInput = inputSchema === null ? null : compileSchema(inputSchema);
  const ofExpected = expectedSchema === null ? null : compileSchema(expectedSchema);
  let spent = 0;
  return ({ input, expectedOutput }) => {
    const since = performance.now();
    const found =
      problem('input', ofInput, input) ??
      (expectedOutput == null ? null : problem('expectedOutput', ofExpected, expectedOutput));
    spent += performance.now() - since;
    if (spent > MAX_MS)
      throw badRequest('the items take too long to be checked; send fewer at once, or simplify the schemas');
    return found;
  };
}

function problem(part: string, check: SchemaCheck | null, value: unknown): string | null {
  const found = check?.(value) ?? null;
  return found === null ? null : `${part}: ${found}`;
}
