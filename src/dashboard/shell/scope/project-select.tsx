import { NativeSelect } from '@mantine/core';
import type { JSX } from 'react';
import { useApi } from '../api.ts';
import { meApi, useMember } from '../member.ts';

type Props = {
  /** `Project` unless given. */
  readonly label?: string;
  /** Whether all projects, the value '', can be chosen. */
  readonly all: boolean;
  readonly value: string;
  readonly onChange: (projectId: string) => void;
};

/** A project of the organization. */
export function ProjectSelect({ label = 'Project', all, value, onChange }: Props): JSX.Element {
  const { organizationId } = useMember();
  const me = useApi(meApi, {}).data;
  const own = me?.memberships.find((membership) => membership.organizationId === organizationId);
  const projects = own?.projects.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  return (
    <NativeSelect
      label={label}
      value={value}
      required={!all}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        ...(all || value === '' ? [{ value: '', label: all ? 'All projects' : 'Choose one' }] : []),
        ...projects,
      ]}
    />
  );
}
