import type { Order } from '../../src/core/events/order/contract.ts';
import { usageError } from '../user-error.ts';

/** The option `--sort` of a list with these orders. */
export const sortOption = <S extends string>(sorts: readonly S[]) =>
  ({
    sort: {
      value: 'ORDER',
      summary: `Order: ${sorts.join(', ')}; largest or newest first, or the other way with :asc`,
    },
  }) as const;

/** Reads `cost` or `cost:asc`; undefined for newest first. @throws UserError for an unknown order */
export function parseSort<S extends string>(
  given: string | undefined,
  sorts: readonly S[],
): Order<S> | undefined {
  if (given === undefined) return undefined;
  const [name = '', direction = 'desc', ...rest] = given.split(':');
  const by = sorts.find((sort) => sort === name);
  if (by === undefined || rest.length > 0 || (direction !== 'asc' && direction !== 'desc'))
    throw usageError(
      `--sort ${given} is no order`,
      `Choose from ${sorts.join(', ')}, also with :asc or :desc`,
    );
  return by === 'time' && direction === 'desc' ? undefined : { by, desc: direction === 'desc' };
}

/** What a list that has more says: how many are shown. */
export const shownNote = (order: Order<string> | undefined, shown: number): string =>
  `the ${order === undefined ? 'newest' : 'first'} ${shown}, more with --limit`;

/** An order as query parameters of an endpoint. */
export const toSortQuery = (order: Order<string> | undefined): Record<string, string> =>
  order === undefined ? {} : { sort: order.by, order: order.desc ? 'desc' : 'asc' };
