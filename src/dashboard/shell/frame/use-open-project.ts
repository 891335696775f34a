import { useLocation, useNavigate } from '@tanstack/react-router';
import { pagePath, searchFrom } from '../project-link.tsx';
import { useProjectId } from '../scope/scope.ts';
import { isOneOf, PAGES } from '../scope/search.ts';
import { listedPageOf } from './navigation-entries.ts';

/** Opens another project: on the same page, or the list that it belongs to, with the time range and without the environment. */
export function useOpenProject(): (id: string) => void {
  const projectId = useProjectId();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (id) => {
    const path = pathname.slice(`/projects/${encodeURIComponent(projectId)}/`.length);
    const to = isOneOf(path, PAGES) ? pagePath(id, path) : pagePath(id, listedPageOf(path) ?? 'overview');
    void navigate({ to, search: (before) => searchFrom(before, { environment: undefined }) });
  };
}
