import { ActionIcon, Button, Checkbox, Popover, SegmentedControl } from '@mantine/core';
import { type JSX, useState } from 'react';
import { Icon } from '../../ui/icons.tsx';
import css from './columns-menu.module.css';
import type { ListLayout } from './layout.ts';

/** Which columns a list has, in which order, and how dense it is. */
export function ColumnsMenu({ layout }: { layout: ListLayout }): JSX.Element {
  const [opened, setOpened] = useState(false);
  const { all, shown, fixed, setShown } = layout;
  const toggle = (id: string): void =>
    setShown(shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id]);
  const move = (id: string, by: 1 | -1): void => {
    const place = shown.indexOf(id);
    const others = shown.filter((one) => one !== id);
    setShown(others.toSpliced(place + by, 0, id));
  };
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={260}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Icon name="columns" size={14} />}
          onClick={() => setOpened(!opened)}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label="Density"
          value={layout.isDense ? 'compact' : 'comfortable'}
          onChange={(density) => layout.setDense(density === 'compact')}
          data={[
            { value: 'comfortable', label: 'Comfortable' },
            { value: 'compact', label: 'Compact' },
          ]}
        />
        <ul className={css.columns}>
          {all.map(({ id, label }) => {
            const place = shown.indexOf(id);
            return (
              <li key={id} className={css.column}>
                <Checkbox
                  size="xs"
                  label={label}
                  checked={place !== -1}
                  disabled={id === fixed}
                  onChange={() => toggle(id)}
                />
                {place > 0 && (
                  <span className={css.moves}>
                    <Mover label={`Move ${label} left`} isOff={place < 2} isUp onMove={() => move(id, -1)} />
                    <Mover
                      label={`Move ${label} right`}
                      isOff={place === shown.length - 1}
                      onMove={() => move(id, 1)}
                    />
                  </span>
                )}
              </li>
            );
          })}
        </ul>
        <Button variant="default" size="xs" fullWidth disabled={!layout.isChanged} onClick={layout.reset}>
          Reset to default
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

type MoverProps = {
  readonly label: string;
  readonly isOff: boolean;
  readonly isUp?: boolean;
  readonly onMove: () => void;
};

const Mover = ({ label, isOff, isUp = false, onMove }: MoverProps): JSX.Element => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size={20}
    aria-label={label}
    disabled={isOff}
    onClick={onMove}
    className={isUp ? 'flip' : ''}
  >
    <Icon name="chevron" size={12} />
  </ActionIcon>
);
