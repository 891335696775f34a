import { Menu, UnstyledButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Me } from '../../core/auth/contract.ts';
import { useProjectId } from '../scope.ts';
import { kept, type Search } from '../search.ts';
import { Icon } from './icons.tsx';
import { projectPath } from './project-link.tsx';

/** The project that is shown, and the others that this person may see, by organization. */
export function ProjectSwitcher({ me }: { me: Me }): JSX.Element {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const organization = me.memberships.find(({ projects }) => projects.some(({ id }) => id === projectId));
  const project = organization?.projects.find(({ id }) => id === projectId);
  const open = (id: string) => () =>
    void navigate({
      to: projectPath(id, 'overview'),
      search: ((before: Search) => ({ ...kept(before), environment: undefined })) as never,
    });
  return (
    <Menu position="bottom-start" width={240} shadow="md">
      <Menu.Target>
        <UnstyledButton className="switcher">
          <span className="switcher-text">
            <span className="dim clip">{organization?.organizationName ?? 'No organization'}</span>
            <strong className="clip">{project?.name ?? 'Choose a project'}</strong>
          </span>
          <Icon name="chevron" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {me.memberships.map(({ organizationId, organizationName, projects }) => (
          <div key={organizationId}>
            <Menu.Label>{organizationName}</Menu.Label>
            {projects.map(({ id, name }) => (
              <Menu.Item
                key={id}
                onClick={open(id)}
                rightSection={id === projectId && <Icon name="check" size={14} />}
              >
                <span className="clip">{name}</span>
              </Menu.Item>
            ))}
            {projects.length === 0 && <Menu.Item disabled>No projects yet</Menu.Item>}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
