import { useLocation } from '@tanstack/react-router';
import { useMember } from '../member.ts';
import { useProjectId } from '../scope/scope.ts';
import { type Group, listedPageOf, NAVIGATION, SETTINGS } from './navigation-entries.ts';

type Navigation = {
  readonly groups: readonly Group[];
  readonly settings: readonly Group[];
  /** The listed page that is open, or that the open one belongs to. */
  readonly current: string | undefined;
  readonly isInSettings: boolean;
};

/** The pages on which this person's role has something to see, and which of them is open. */
export function useNavigation(): Navigation {
  const { may } = useMember();
  const projectId = useProjectId();
  const { pathname } = useLocation();
  const seen = (groups: readonly Group[]): Group[] =>
    groups.map((group) => ({
      ...group,
      entries: group.entries.filter(({ least }) => least === undefined || may(least)),
    }));
  const base = `/projects/${encodeURIComponent(projectId)}/`;
  const current = pathname.startsWith(base) ? listedPageOf(pathname.slice(base.length)) : undefined;
  return {
    groups: seen(NAVIGATION),
    settings: seen(SETTINGS),
    current,
    isInSettings: SETTINGS.some(({ entries }) => entries.some(({ page }) => page === current)),
  };
}
