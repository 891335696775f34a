import { createRootRoute, createRoute, Link, type lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { Shell } from './frame/shell.tsx';
import { Gate } from './gate.tsx';
import { PAGES, type PageName, textOf, WINDOW } from './scope/search.ts';
import { ZoneProvider } from './scope/zone-provider.tsx';

/** Above all pages. */
export const root = createRootRoute({
  component: () => (
    <ZoneProvider>
      <Outlet />
    </ZoneProvider>
  ),
  notFoundComponent: () => (
    <Gate title="This page does not exist">
      <Link to="/">Go to the overview</Link>
    </Gate>
  ),
});
/** The frame of a project. */
export const project = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId',
  validateSearch: textOf(WINDOW),
  component: Shell,
});
type PageComponent = ReturnType<typeof lazyRouteComponent>;

/** A page of a project. That of another project or trace is another page: nothing that was typed or shown is kept. */
export const page = <const P extends PageName>(path: P, component: PageComponent) =>
  createRoute({
    getParentRoute: () => project,
    path,
    validateSearch: textOf<(typeof PAGES)[P][number]>(PAGES[path]),
    component,
    remountDeps: ({ params }) => params,
  });
