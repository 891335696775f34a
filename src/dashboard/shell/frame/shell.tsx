import { ActionIcon, Burger, Kbd, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { type JSX, lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { Me } from '../../../core/auth/contract.ts';
import { EventExtrasProvider } from '../../../core/events/widgets/event-extras.tsx';
import { DamageNotice } from '../../../features/damage/damage-notice.tsx';
import { Icon, Mark } from '../../ui/icons.tsx';
import { Failure, Notice } from '../../ui/states.tsx';
import { useApi } from '../api.ts';
import { ClosedOrganizations, closedTo } from '../closed-organizations.tsx';
import { meApi } from '../member.ts';
import { Page } from '../page.tsx';
import { useProjectId } from '../scope/scope.ts';
import { Navigation, SettingsEntry, SettingsNavigation } from './navigation.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import css from './shell.module.css';
import { useNavigation } from './use-navigation.ts';
import { UserMenu } from './user-menu.tsx';

const CommandPalette = lazy(async () => ({
  default: (await import('../palette/command-palette.tsx')).CommandPalette,
}));
const MenuDrawer = lazy(async () => ({ default: (await import('./menu-drawer.tsx')).MenuDrawer }));

const eventExtras = {
  Cost: lazy(async () => ({
    default: (await import('../../../features/costs/cost-explanation.tsx')).CostExplanation,
  })),
};

/** What surrounds every page of a project. Whoever is not signed in is sent to do so, and back. */
export function Shell(): JSX.Element {
  const me = useApi(meApi, {});
  const projectId = useProjectId();
  if (me.error?.status === 401) return <ToSignIn />;
  if (me.error !== null && me.data === undefined)
    return <Failure error={me.error} retry={() => void me.refetch()} />;
  if (me.data === undefined) return <div className={css.shell} aria-busy="true" />;
  const closed = closedTo(me.data);
  const allowed = me.data.memberships.some(({ projects }) => projects.some(({ id }) => id === projectId));
  return (
    <Frame me={me.data}>
      {allowed ? (
        <EventExtrasProvider extras={eventExtras}>
          <DamageNotice projectId={projectId} />
          <Outlet />
        </EventExtrasProvider>
      ) : closed.length > 0 ? (
        <ClosedOrganizations names={closed} />
      ) : (
        <Page title="Project" scoped={false}>
          <Notice icon="errors" title="This project does not exist, or you have no access to it">
            Choose another project at the top left.
          </Notice>
        </Page>
      )}
    </Frame>
  );
}

/** To the sign-in, once, with the way back. */
function ToSignIn(): null {
  const navigate = useNavigate();
  const { href } = useLocation();
  const gone = useRef(false);
  useEffect(() => {
    if (gone.current) return;
    gone.current = true;
    void navigate({ to: '/sign-in', search: { next: href }, replace: true });
  }, [navigate, href]);
  return null;
}

function Frame({ me, children }: { me: Me; children: JSX.Element }): JSX.Element {
  const [wasOpened, setWasOpened] = useState(false);
  const [opened, drawer] = useDisclosure(false, { onOpen: () => setWasOpened(true) });
  // The palette is fetched when it is first asked for, and opens each time that it is.
  const [asked, setAsked] = useState(0);
  const openPalette = (): void => setAsked((times) => times + 1);
  useHotkeys([
    ['mod+K', openPalette],
    ['/', openPalette],
  ]);
  return (
    <div className={css.shell}>
      <a href="#main" className={css.skip}>
        Skip to content
      </a>
      <aside className={css.sidebar}>
        <Side me={me} onSearch={openPalette} />
      </aside>
      <div className={css.topbar}>
        <Burger opened={opened} onClick={drawer.toggle} size="sm" aria-label="Menu" />
        <Mark />
        <strong>Spanledger</strong>
        <ActionIcon variant="subtle" color="gray" aria-label="Search" onClick={openPalette} ml="auto">
          <Icon name="search" />
        </ActionIcon>
      </div>
      {wasOpened && (
        <Suspense>
          <MenuDrawer opened={opened} onClose={drawer.close}>
            <Side me={me} onChoose={drawer.close} />
          </MenuDrawer>
        </Suspense>
      )}
      <Main>{children}</Main>
      {asked > 0 && (
        <Suspense>
          <CommandPalette me={me} asked={asked} />
        </Suspense>
      )}
    </div>
  );
}

/** The open page; one of the settings stands beside the list of them. */
function Main({ children }: { children: JSX.Element }): JSX.Element {
  const { isInSettings } = useNavigation();
  return (
    <div className={isInSettings ? css.withSettings : undefined}>
      {isInSettings && <SettingsNavigation />}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

type SideProps = {
  readonly me: Me;
  /** Closes the drawer that it is shown in. */
  readonly onChoose?: () => void;
  /** Opens the search; a drawer leaves it to the bar above the page. */
  readonly onSearch?: () => void;
};

function Side({ me, onChoose, onSearch }: SideProps): JSX.Element {
  return (
    <>
      {onSearch !== undefined && (
        <div className={css.brand}>
          <Mark /> <strong>Spanledger</strong>
        </div>
      )}
      <ProjectSwitcher me={me} />
      {onSearch !== undefined && (
        <UnstyledButton className={css.searchButton} onClick={onSearch}>
          <Icon name="search" size={14} />
          <span>Search</span>
          <Kbd size="xs">{navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'} K</Kbd>
        </UnstyledButton>
      )}
      <Navigation onChoose={onChoose} />
      <div className={css.sideEnd}>
        <SettingsEntry onChoose={onChoose} />
        <UserMenu me={me} />
      </div>
    </>
  );
}
