import { useMediaQuery } from '@mantine/hooks';
import { useMemo } from 'react';

/** As in `tables.css`. */
const PHONE = '(max-width: 36em)';
const NONE: readonly string[] = [];

/** Whether the window is as narrow as a phone. */
export const useIsPhone = (): boolean => useMediaQuery(PHONE, false, { getInitialValueInEffect: false });

/** The columns in their order; on a phone, where only some are in sight, first those with the ids given. */
export function usePhoneOrder<C extends { readonly id: string }>(
  columns: readonly C[],
  first: readonly string[] = NONE,
): readonly C[] {
  const isPhone = useIsPhone();
  const ids = first.join();
  return useMemo(() => {
    if (!isPhone || ids === '') return columns;
    const order = ids.split(',');
    const place = ({ id }: C): number => (order.includes(id) ? order.indexOf(id) : order.length);
    return columns.toSorted((a, b) => place(a) - place(b));
  }, [columns, isPhone, ids]);
}
