import { Button } from '@mantine/core';
import type { JSX } from 'react';
import type { Me } from '../../core/auth/contract.ts';
import { Notice } from '../ui/states.tsx';

/** The organizations that are closed to a person until they add a second factor. */
export const closedTo = ({ memberships }: Me): string[] =>
  memberships
    .filter(({ needsSecondFactor }) => needsSecondFactor)
    .map(({ organizationName }) => organizationName);

/** Leads to where a second factor is added. */
export const ClosedOrganizations = ({ names }: { names: readonly string[] }): JSX.Element => (
  <Notice
    icon="key"
    title={`${new Intl.ListFormat('en').format(names)} ${names.length === 1 ? 'requires' : 'require'} a second factor`}
    action={
      <Button component="a" href="/account/security">
        Add a second factor
      </Button>
    }
  >
    Add an authenticator app or a passkey to your account to open {names.length === 1 ? 'it' : 'them'}.
  </Notice>
);
