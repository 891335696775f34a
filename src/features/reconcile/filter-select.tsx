import { Group, Select } from '@mantine/core';
import type { JSX } from 'react';
import { moneyText } from '../../lib/figures.ts';
import type { Reconciliation } from './contract.ts';

/** Which lines of an export count: of an account and of an API key, as the export names them. */
export type ExportFilter = { readonly account?: string | undefined; readonly key?: string | undefined };

type Props = {
  readonly parts: Reconciliation['parts'];
  readonly filter: ExportFilter;
  readonly onFilter: (filter: ExportFilter) => void;
};

const SELECTS = [
  { by: 'account', label: 'Workspace or project', all: 'All workspaces and projects' },
  { by: 'key', label: 'API key', all: 'All API keys' },
] as const;

/** Chooses which lines of an export are compared; nothing if it has one account and one key. */
export function FilterSelect({ parts, filter, onFilter }: Props): JSX.Element | null {
  const shown = SELECTS.flatMap((select) => {
    const own = parts.filter(({ by }) => by === select.by);
    return own.length > 1 || filter[select.by] !== undefined ? [{ ...select, own }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <Group gap="sm" align="end">
      {shown.map(({ by, label, all, own }) => (
        <Select
          key={by}
          label={label}
          placeholder={all}
          size="xs"
          w={280}
          clearable
          searchable
          value={filter[by] ?? null}
          data={own.map(({ name, usd }) => ({
            value: name,
            label: usd === null ? name : `${name} (${moneyText(usd)})`,
          }))}
          onChange={(value) => onFilter({ ...filter, [by]: value ?? undefined })}
        />
      ))}
    </Group>
  );
}
