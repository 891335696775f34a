import { Menu, UnstyledButton } from '@mantine/core';
import { type JSX, lazy, Suspense, useState } from 'react';
import type { getMethodsEndpoint, Me } from '../../../core/auth/contract.ts';
import { Icon } from '../../ui/icons.tsx';
import { useApi } from '../api.ts';
import { endpointOf } from '../endpoint.ts';
import { useProjectId } from '../scope/scope.ts';
import css from './switcher.module.css';
import { useOpenProject } from './use-open-project.ts';

const methodsApi = endpointOf<typeof getMethodsEndpoint>('GET /v1/auth/methods');

const NewProject = lazy(async () => ({
  default: (await import('../../../core/projects/new-project.tsx')).NewProject,
}));

/** The project that is shown, the others that this person may see, by organization, and the way to new ones. */
export function ProjectSwitcher({ me }: { me: Me }): JSX.Element {
  const projectId = useProjectId();
  const open = useOpenProject();
  const [opened, setOpened] = useState(false);
  const [made, setMade] = useState<'project' | 'organization' | null>(null);
  const organization = me.memberships.find(({ projects }) => projects.some(({ id }) => id === projectId));
  const project = organization?.projects.find(({ id }) => id === projectId);
  const owns = me.memberships.some(({ role }) => role === 'owner');
  const administers = owns || me.memberships.some(({ role }) => role === 'admin');
  // Who owns none may make an organization only where everybody may.
  const methods = useApi(methodsApi, {}, { enabled: opened && !owns });
  const mayFound = owns || methods.data?.signup === 'open';
  return (
    <>
      <Menu position="bottom-start" width={240} shadow="md" opened={opened} onChange={setOpened}>
        <Menu.Target>
          <UnstyledButton className={css.switcher}>
            <span className={css.switcherText}>
              <span className="dim clip">{organization?.organizationName ?? 'No organization'}</span>
              <strong className="clip">{project?.name ?? 'Choose a project'}</strong>
            </span>
            <Icon name="chevron" size={14} />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown mah="80vh" className="scrolls">
          {me.memberships.map(({ organizationId, organizationName, projects }) => (
            <div key={organizationId}>
              <Menu.Label>{organizationName}</Menu.Label>
              {projects.map(({ id, name }) => (
                <Menu.Item
                  key={id}
                  onClick={() => open(id)}
                  rightSection={id === projectId && <Icon name="check" size={14} />}
                >
                  <span className="clip">{name}</span>
                </Menu.Item>
              ))}
              {projects.length === 0 && <Menu.Item disabled>No projects yet</Menu.Item>}
            </div>
          ))}
          {(administers || mayFound) && <Menu.Divider />}
          {administers && <Menu.Item onClick={() => setMade('project')}>New project…</Menu.Item>}
          {mayFound && <Menu.Item onClick={() => setMade('organization')}>New organization…</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {made !== null && (
        <Suspense>
          <NewProject
            memberships={me.memberships}
            organizationId={made === 'organization' ? null : organization?.organizationId}
            onClose={() => setMade(null)}
          />
        </Suspense>
      )}
    </>
  );
}
