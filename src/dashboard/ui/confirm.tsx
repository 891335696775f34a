import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type JSX, type ReactNode, useState } from 'react';

type Props = {
  /** The button that asks. */
  readonly label: string;
  readonly title: string;
  readonly children: ReactNode;
  readonly confirm: string;
  readonly onConfirm: () => void;
  /** What a person types before the button works; for what cannot be undone. */
  readonly word?: string;
  readonly disabled?: boolean;
  readonly danger?: boolean;
  /** As tall as what stands beside it: `xs` among the controls of a page. */
  readonly size?: 'xs' | 'compact-xs';
  /** What the page is for: it stands out. */
  readonly primary?: boolean;
};

/** A button that asks before it acts. */
export function Confirm({
  label,
  title,
  children,
  confirm,
  onConfirm,
  word,
  disabled = false,
  danger = true,
  size = 'compact-xs',
  primary = false,
}: Props): JSX.Element {
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  return (
    <>
      <Button
        variant={primary ? 'filled' : 'default'}
        size={size}
        disabled={disabled}
        onClick={() => {
          setTyped('');
          setOpened(true);
        }}
      >
        {label}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={title} centered size="sm">
        <div className="form">
          <div>{children}</div>
          {word !== undefined && (
            <TextInput
              label={`Type ${word} to confirm`}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
              data-autofocus
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button
              variant="default"
              onClick={() => setOpened(false)}
              {...(word === undefined ? { 'data-autofocus': true } : {})}
            >
              Cancel
            </Button>
            <Button
              {...(danger ? { color: 'red.8' } : {})}
              disabled={word !== undefined && typed.trim() !== word.trim()}
              onClick={() => {
                setOpened(false);
                onConfirm();
              }}
            >
              {confirm}
            </Button>
          </Group>
        </div>
      </Modal>
    </>
  );
}
