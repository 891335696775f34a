import { badRequest } from '../errors.ts';
import { parseRowFilter, type RowFields } from '../lib/filter/rows.ts';
import { FilterSyntaxError } from '../lib/filter-terms.ts';

/** What the filter of a request says of rows. @throws AppError 400 for a filter that cannot be read */
export function rowFilterOf<T>(filter: string, fields: RowFields<T>): (row: T) => boolean {
  try {
    return parseRowFilter(filter, fields);
  } catch (error) {
    if (error instanceof FilterSyntaxError) throw badRequest(`filter: ${error.message}`);
    throw error;
  }
}
