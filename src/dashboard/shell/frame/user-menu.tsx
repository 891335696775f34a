import { type MantineColorScheme, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Me, postLogoutEndpoint } from '../../../core/auth/contract.ts';
import type { IconName } from '../../ui/icon-paths.ts';
import { Icon } from '../../ui/icons.tsx';
import { queryClient, send } from '../api.ts';
import { endpointOf } from '../endpoint.ts';
import { forgetTab } from '../tab-memory.ts';
import css from './switcher.module.css';

const createLogoutApi = endpointOf<typeof postLogoutEndpoint>('POST /v1/auth/logout');

const SCHEMES: readonly { value: MantineColorScheme; label: string; icon: IconName }[] = [
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
  { value: 'auto', label: 'System', icon: 'auto' },
];

/** Who is signed in, the colours, and the way out. */
export function UserMenu({ me }: { me: Me }): JSX.Element {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const signOut = async (): Promise<void> => {
    // Whatever the server says, this page forgets.
    const reply = await send(createLogoutApi, {}).catch(() => null);
    queryClient.clear();
    forgetTab();
    if (reply?.endSessionUrl !== undefined) location.assign(reply.endSessionUrl);
    else await navigate({ to: '/sign-in' });
  };
  return (
    <Menu position="top-start" width={220} shadow="md">
      <Menu.Target>
        <UnstyledButton className={css.switcher}>
          <span className={css.avatar} aria-hidden="true">
            {(me.user.name || me.user.email).slice(0, 1).toUpperCase()}
          </span>
          <span className={css.switcherText}>
            <span className="clip">{me.user.name}</span>
            <span className="dim clip">{me.user.email}</span>
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Colours</Menu.Label>
        {SCHEMES.map(({ value, label, icon }) => (
          <Menu.Item
            key={value}
            closeMenuOnClick={false}
            leftSection={<Icon name={icon} size={15} />}
            rightSection={value === colorScheme && <Icon name="check" size={14} />}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          onClick={() => void navigate({ to: '/account' })}
          leftSection={<Icon name="users" size={15} />}
        >
          Your account
        </Menu.Item>
        <Menu.Item
          onClick={() => void navigate({ to: '/account/security' })}
          leftSection={<Icon name="key" size={15} />}
        >
          Account security
        </Menu.Item>
        {me.user.operator && (
          <Menu.Item
            onClick={() => void navigate({ to: '/system' })}
            leftSection={<Icon name="performance" size={15} />}
          >
            System
          </Menu.Item>
        )}
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<Icon name="table" size={15} />}>
          API reference
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()} leftSection={<Icon name="signout" size={15} />}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
