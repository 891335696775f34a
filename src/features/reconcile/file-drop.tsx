import { Button } from '@mantine/core';
import { type DragEvent, type JSX, useRef, useState } from 'react';
import { Icon } from '../../dashboard/ui/icons.tsx';
import css from './file-drop.module.css';

type Props = {
  readonly onFile: (file: File) => void;
  readonly busy: boolean;
  /** Whether a file was compared before. */
  readonly again: boolean;
};

const MAX_BYTES = 20_000_000;

/** Takes one file, dropped or chosen. */
export function FileDrop({ onFile, busy, again }: Props): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const take = (file: File | undefined): void => {
    if (file === undefined) return;
    setRefused(
      file.size > MAX_BYTES ? `${file.name} is larger than 20 MB. Export a shorter time range.` : null,
    );
    if (file.size <= MAX_BYTES) onFile(file);
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same by keyboard
    <div
      className={`${css.drop} ${over ? css.dropOver : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <Button
        leftSection={<Icon name="table" size={14} />}
        variant={again ? 'default' : 'filled'}
        loading={busy}
        onClick={() => input.current?.click()}
      >
        {again ? 'Choose another export' : 'Choose an export'}
      </Button>
      <span className="dim">or drop the CSV file here</span>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        aria-label="Provider export"
        hidden
        onChange={({ currentTarget }) => {
          take(currentTarget.files?.[0]);
          // Choosing the same file again, corrected, must count as a change.
          currentTarget.value = '';
        }}
      />
      {refused !== null && (
        <span role="alert" className="bad">
          {refused}
        </span>
      )}
    </div>
  );
}
