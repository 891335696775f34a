import { Button, Menu } from '@mantine/core';
import type { JSX } from 'react';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Icon } from '../../../dashboard/ui/icons.tsx';
import { formatInstant } from '../../../lib/time.ts';
import type { FocusFormat } from './contract.ts';

/** The costs of all projects in a month for finance tools: the browser takes the file as it comes. */
export function FocusMenu({ day }: { day: number }): JSX.Element {
  const { organizationId, organizationName } = useMember();
  const month = formatInstant(day).slice(0, 7);
  const href = (format: FocusFormat): string =>
    `/v1/organizations/${encodeURIComponent(organizationId)}/focus?${new URLSearchParams({ month, format })}`;
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          disabled={organizationId === ''}
          leftSection={<Icon name="download" size={14} />}
        >
          FOCUS
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {month}, all projects of {organizationName}
        </Menu.Label>
        <Menu.Item component="a" href={href('csv')} download>
          CSV
        </Menu.Item>
        <Menu.Item component="a" href={href('parquet')} download>
          Parquet
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item component="a" href="/docs/focus" target="_blank" rel="noopener">
          What the columns mean
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
