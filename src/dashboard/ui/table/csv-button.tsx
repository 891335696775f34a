import { Button } from '@mantine/core';
import { type JSX, useState } from 'react';
import { toCsv } from '../../../lib/csv.ts';
import { Icon } from '../icons.tsx';
import { saveFile } from '../save-file.ts';
import type { Column } from './column.ts';

/** Rows of a list for a file; `isCut`: the list has more of them. */
export type CsvRows<T> = { readonly rows: readonly T[]; readonly isCut?: boolean };

export type CsvProps<T> = {
  /** Of the file, such as `traces`. */
  readonly name: string;
  /** Those that are shown; each says what it is in a file. */
  readonly columns: readonly Column<T>[];
  /** All rows in the order shown. */
  readonly rows: () => CsvRows<T> | Promise<CsvRows<T>>;
  /** Below a table, where it must not stand out. */
  readonly quiet?: boolean;
};

/** Saves a list as CSV: the rows and columns that are shown, in their order. */
export function CsvButton<T>({ name, columns, rows, quiet = false }: CsvProps<T>): JSX.Element {
  const [busy, setBusy] = useState(false);
  const [note, setNote] = useState<{ readonly text: string; readonly isBad: boolean } | null>(null);
  const save = async (): Promise<void> => {
    setBusy(true);
    setNote(null);
    try {
      const { rows: all, isCut = false } = await rows();
      const day = new Date().toISOString().slice(0, 10);
      saveFile(
        `spanledger-${name}-${day}.csv`,
        toCsv(
          columns.flatMap(({ csv }) => csv ?? []),
          all,
        ),
      );
      if (isCut) setNote({ text: `The first ${all.length.toLocaleString('en-US')} rows`, isBad: false });
    } catch (error) {
      setNote({ text: error instanceof Error ? error.message : String(error), isBad: true });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {note !== null && (
        <span role={note.isBad ? 'alert' : 'status'} className={note.isBad ? 'bad' : 'dim'}>
          {note.text}
        </span>
      )}
      <Button
        {...(quiet ? { variant: 'subtle', color: 'gray', size: 'compact-xs' } : { variant: 'default' })}
        leftSection={<Icon name="download" size={14} />}
        title="Save the rows and columns shown as CSV"
        loading={busy}
        onClick={() => void save()}
      >
        CSV
      </Button>
    </>
  );
}
