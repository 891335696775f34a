import { useLocalStorage } from '@mantine/hooks';
import type { Found } from './targets.ts';

/** Entries that are kept. */
const MOST = 6;
const NONE: readonly Found[] = [];

/** What was last opened from the palette in this project; this browser keeps it. */
export function useRecent(projectId: string): {
  readonly recent: readonly Found[];
  note(found: Found): void;
} {
  const [recent, setRecent] = useLocalStorage<readonly Found[]>({
    key: `spanledger.recent.${projectId}`,
    defaultValue: NONE,
    getInitialValueInEffect: false,
  });
  return {
    recent,
    note: (found) =>
      setRecent((before) => [found, ...before.filter(({ id }) => id !== found.id)].slice(0, MOST)),
  };
}
