import { useLocation, useNavigate } from '@tanstack/react-router';
import { projectPath } from '../project-link.tsx';
import { useProjectId } from '../scope/scope.ts';
import { kept, type Search } from '../scope/search.ts';

/** Pages of one thing, which another project does not have, are left for the list that it is in. */
const pageIn = (pathname: string, projectId: string): string => {
  const page = pathname.slice(projectPath(projectId, '').length);
  return page.replace(/^(traces|sessions|users)\/.*/, '$1') || 'overview';
};

/** Leads to another project: the page stays, with the time range; what belongs to the one project does not. */
export function useOpenProject(): (id: string) => void {
  const projectId = useProjectId();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (id) =>
    void navigate({
      to: projectPath(id, pageIn(pathname, projectId)),
      search: ((before: Search) => ({ ...kept(before), environment: undefined })) as never,
    });
}
