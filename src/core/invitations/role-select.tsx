import { NativeSelect } from '@mantine/core';
import type { JSX } from 'react';
import type { Role } from '../tenancy/contract.ts';

const LABELS: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
  viewer: 'Viewer',
};

type Props = {
  readonly label: string;
  readonly role: Role;
  readonly roles: readonly Role[];
  readonly disabled?: boolean;
  readonly onChange: (role: Role) => void;
};

/** Selects a role; plain text if it cannot be changed. */
export const RoleSelect = ({ label, role, roles, disabled = false, onChange }: Props): JSX.Element =>
  disabled ? (
    <span>{LABELS[role]}</span>
  ) : (
    <NativeSelect
      size="xs"
      miw={96}
      aria-label={label}
      value={role}
      onChange={({ currentTarget }) => {
        const chosen = roles.find((one) => one === currentTarget.value);
        if (chosen !== undefined) onChange(chosen);
      }}
      data={roles.map((value) => ({ value, label: LABELS[value] }))}
    />
  );
