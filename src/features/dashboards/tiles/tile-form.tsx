import { Button, Group, Modal, NativeSelect, NumberInput, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type FormEvent, type JSX, useState } from 'react';
import type { Scope } from '../../../dashboard/shell/scope/scope.ts';
import { Loaded } from '../../../dashboard/ui/states.tsx';
import { useFigures } from '../use-figures.tsx';
import type { Tile, TileDimension, TileKind, TileMeasure, TileQuery } from './contract.ts';
import { DIMENSIONS, KINDS, MEASURES } from './measures.tsx';
import { TileView } from './tile-view.tsx';

/** What a person chooses about a tile; its place is chosen in the grid. */
export type TileDraft = TileQuery & Pick<Tile, 'title'>;

export const NEW_TILE: TileDraft = {
  title: '',
  kind: 'bars',
  measures: ['cost'],
  groupBy: ['model'],
  filter: '',
  limit: 6,
};

type Props = {
  readonly title: string;
  readonly scope: Scope;
  readonly draft: TileDraft;
  readonly submit: string;
  readonly onSave: (draft: TileDraft) => void;
  readonly onClose: () => void;
};

/** A tile's title and query, with what it will show. */
export function TileForm({ title, scope, draft, submit, onSave, onClose }: Props): JSX.Element {
  const [tile, setTile] = useState(draft);
  const set = (change: Partial<TileDraft>): void => setTile({ ...tile, ...change });
  const named = { ...tile, title: tile.title.trim() === '' ? suggested(tile) : tile.title };
  const save = (event: FormEvent): void => {
    event.preventDefault();
    onSave(named);
  };
  return (
    <Modal opened onClose={onClose} title={title} centered size="xl">
      <form className="form" onSubmit={save}>
        <Group grow gap="sm" align="flex-start">
          <NativeSelect
            label="Show as"
            value={tile.kind}
            onChange={({ currentTarget: { value } }) => set({ kind: value as TileKind })}
            data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
          />
          <MeasureSelect tile={tile} set={set} />
          {tile.kind !== 'number' && <GroupSelect tile={tile} place={0} set={set} />}
          {tile.kind === 'table' && tile.groupBy.length > 0 && (
            <GroupSelect tile={tile} place={1} set={set} />
          )}
        </Group>
        <Group grow gap="sm" align="flex-start">
          <TextInput
            label="Filter"
            placeholder="status:failed, model:gpt-*, environment:production"
            value={tile.filter}
            maxLength={1_000}
            onChange={({ currentTarget: { value } }) => set({ filter: value })}
          />
          <TextInput
            label="Title"
            placeholder={suggested(tile)}
            value={tile.title}
            maxLength={100}
            onChange={({ currentTarget: { value } }) => set({ title: value })}
          />
          {tile.groupBy.length > 0 && tile.kind !== 'number' && (
            <NumberInput
              label="Most groups"
              min={1}
              max={50}
              clampBehavior="strict"
              value={tile.limit}
              onChange={(value) => typeof value === 'number' && value > 0 && set({ limit: value })}
            />
          )}
        </Group>
        <Preview scope={scope} tile={named} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">{submit}</Button>
        </Group>
      </form>
    </Modal>
  );
}

type FieldProps = { readonly tile: TileDraft; readonly set: (change: Partial<TileDraft>) => void };

const measureOptions = Object.entries(MEASURES).map(([value, { label }]) => ({ value, label }));

/** A table shows further measures beside the first. */
function MeasureSelect({ tile, set }: FieldProps): JSX.Element {
  const [, ...more] = tile.measures;
  return (
    <NativeSelect
      label="Measure"
      value={tile.measures[0]}
      onChange={({ currentTarget: { value } }) => {
        const first = value as TileMeasure;
        set({ measures: tile.kind === 'table' ? [first, ...more.filter((one) => one !== first)] : [first] });
      }}
      data={measureOptions}
    />
  );
}

function GroupSelect({ tile, place, set }: FieldProps & { readonly place: 0 | 1 }): JSX.Element {
  const chosen = tile.groupBy[place] ?? '';
  const known = chosen === '' || Object.hasOwn(DIMENSIONS, chosen);
  const choose = (value: string): void => {
    const next = [...tile.groupBy];
    next.splice(place, value === '' ? 2 : 1, ...(value === '' ? [] : [value as TileDimension]));
    set({ groupBy: next });
  };
  return (
    <div>
      <NativeSelect
        label={place === 0 ? 'Group by' : 'and by'}
        value={known ? chosen : 'tag:'}
        onChange={({ currentTarget: { value } }) => choose(value === 'tag:' ? 'tag:team' : value)}
        data={[
          { value: '', label: 'Nothing' },
          ...Object.entries(DIMENSIONS).map(([value, { label }]) => ({ value, label })),
          { value: 'tag:', label: 'Tag' },
        ]}
      />
      {!known && (
        <TextInput
          mt={6}
          aria-label="Name of the tag"
          value={chosen.slice('tag:'.length)}
          maxLength={200}
          required
          onChange={({ currentTarget: { value } }) => choose(`tag:${value}`)}
        />
      )}
    </div>
  );
}

/** `Cost by release` */
export const suggested = ({ measures: [first = 'requests'], groupBy, kind }: TileDraft): string => {
  const [dimension] = kind === 'number' ? [] : groupBy;
  const by = dimension?.startsWith('tag:')
    ? dimension.slice('tag:'.length)
    : DIMENSIONS[dimension ?? '']?.label;
  return `${MEASURES[first].label}${by === undefined ? '' : ` by ${by.toLowerCase()}`}`;
};

function Preview({ scope, tile }: { scope: Scope; tile: TileDraft }): JSX.Element {
  const [{ title, ...query }] = useDebouncedValue(tile, 300);
  const figures = useFigures(scope, [query]);
  return (
    <section aria-label="Preview" className="panel" style={{ height: 300, overflow: 'auto' }}>
      <Loaded of={figures} loading={<Skeleton height={280} />}>
        {({ tiles: [found] }) =>
          // While other figures are read, those of the tile before are still there.
          found !== undefined &&
          (found.bucket === null) === (query.kind === 'number' || query.kind === 'table') ? (
            <TileView query={query} figures={found} title={title} height={296} />
          ) : (
            <Skeleton height={280} />
          )
        }
      </Loaded>
    </section>
  );
}
