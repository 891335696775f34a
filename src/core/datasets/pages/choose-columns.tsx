import { Group, NativeSelect } from '@mantine/core';
import type { JSX } from 'react';
import type { Mapping } from '../input/contract.ts';

const PARTS = [
  ['', 'Not used'],
  ['input', 'Input'],
  ['expectedOutput', 'Expected output'],
  ['metadata', 'Metadata'],
  ['split', 'Split'],
  ['id', 'Id'],
] as const;
type Part = Exclude<(typeof PARTS)[number][0], ''>;

const columnsOf = (mapping: Mapping, part: Part): readonly string[] => [mapping[part] ?? []].flat();
const partOf = (mapping: Mapping, column: string): Part | '' =>
  PARTS.map(([part]) => part).find((part) => part !== '' && columnsOf(mapping, part).includes(column)) ?? '';

/** The mapping with a column elsewhere. Several columns of one part become an object; split and id have one column. */
function withColumn(mapping: Mapping, column: string, to: Part | ''): Mapping {
  const columns = (part: Part): string[] => {
    const others = columnsOf(mapping, part).filter((one) => one !== column);
    if (part !== to) return others;
    return part === 'split' || part === 'id' ? [column] : [...others, column];
  };
  const one = (part: 'input' | 'expectedOutput') => {
    const [first, ...more] = columns(part);
    return first === undefined ? {} : { [part]: more.length === 0 ? first : [first, ...more] };
  };
  const [split] = columns('split');
  const [id] = columns('id');
  const metadata = columns('metadata');
  return {
    ...one('input'),
    ...one('expectedOutput'),
    ...(metadata.length > 0 && { metadata }),
    ...(split !== undefined && { split }),
    ...(id !== undefined && { id }),
  };
}

type Props = {
  readonly columns: readonly string[];
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
};

/** What each column of a file becomes, as the server read it: without an input, all columns that are left are the input. */
export const ChooseColumns = ({ columns, mapping, onChange }: Props): JSX.Element => (
  <Group role="group" aria-label="Columns" gap="xs">
    {columns.map((column) => (
      <NativeSelect
        key={column}
        size="xs"
        label={column}
        data={PARTS.map(([value, label]) => ({ value, label }))}
        value={partOf(mapping, column)}
        onChange={({ currentTarget: { value } }) => onChange(withColumn(mapping, column, value as Part | ''))}
      />
    ))}
  </Group>
);
