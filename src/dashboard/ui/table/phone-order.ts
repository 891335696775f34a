import { useMemo, useSyncExternalStore } from 'react';

/** As in `tables.css`. */
const PHONE = '(max-width: 36em)';
const NONE: readonly string[] = [];

const subscribe = (changed: () => void): (() => void) => {
  addEventListener('resize', changed);
  return () => removeEventListener('resize', changed);
};

/** Whether the window is as narrow as a phone. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(PHONE).matches);

/** The columns in their order; on a phone, where only some are in sight, first those with the ids given. */
export function usePhoneOrder<C extends { readonly id: string }>(
  columns: readonly C[],
  first: readonly string[] = NONE,
): readonly C[] {
  const ids = useIsPhone() ? first.join() : '';
  return useMemo(() => {
    const order = ids.split(',');
    const place = ({ id }: C): number => order.indexOf(id) + 1 || 99;
    return columns.toSorted((a, b) => place(a) - place(b));
  }, [columns, ids]);
}
