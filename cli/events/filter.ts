import { type Condition, parseFilter } from '../../src/core/events/filter/contract.ts';
import { FilterSyntaxError } from '../../src/lib/filter-terms.ts';
import { usageError } from '../user-error.ts';

/** The option of commands that read events, to spread into theirs. */
export const filterOption = {
  filter: { value: 'TEXT', summary: "Filter, such as 'status:failed -model:gpt-* latency>2s'", short: 'f' },
} as const;

/** The conditions of the option; undefined without any. Throws a usage error that says what is wrong. */
export function parseFilterOption(text: string | undefined): readonly Condition[] | undefined {
  try {
    const conditions = parseFilter(text ?? '');
    return conditions.length === 0 ? undefined : conditions;
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
    throw usageError(
      `The filter is wrong: ${error.message}`,
      'Parts of filters are listed in the API reference, under GET /v1/events',
    );
  }
}
