import { Button, FileInput, Group } from '@mantine/core';
import { type JSX, useState } from 'react';
import { refresh, send } from '../../../dashboard/shell/api.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { Dialog } from '../../../dashboard/ui/dialog.tsx';
import { numberText } from '../../../lib/figures.ts';
import type { FileFormat, ImportReply } from '../contract.ts';
import type { Mapping } from '../input/contract.ts';
import { ChooseColumns } from './choose-columns.tsx';
import { CHANGED, importItemsApi } from './datasets-api.ts';

type Props = { readonly datasetId: string; readonly onClose: () => void };

const formatOf = ({ name }: File): FileFormat =>
  /\.json$/i.test(name) ? 'json' : /\.(jsonl|ndjson)$/i.test(name) ? 'jsonl' : 'csv';

/** Imports a file: first a dry run that shows what would be imported, then the import. */
export function ImportDialog({ datasetId, onClose }: Props): JSX.Element {
  const projectId = useProjectId();
  const [file, setFile] = useState<File | null>(null);
  const [tried, setTried] = useState<ImportReply | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [mapping, setMapping] = useState<Mapping | null>(null);
  const run = async (chosen: File, dryRun: boolean, columns: Mapping | null): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const query = {
        projectId,
        format: formatOf(chosen),
        dryRun: String(dryRun) as 'true' | 'false',
        skipInvalid: 'true' as const,
        message: dryRun ? '' : chosen.name.slice(0, 500),
        ...(columns !== null && { mapping: JSON.stringify(columns) }),
      };
      const reply = await send(importItemsApi, { params: { id: datasetId }, query, body: chosen });
      if (dryRun) return setTried(reply);
      await refresh(...CHANGED);
      onClose();
    } catch (error) {
      if (columns === null) setTried(null);
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog onClose={onClose} title="Import items" size="lg">
      <div className="form">
        <FileInput
          label="File"
          description="CSV with a header row, JSON Lines or JSON. Columns called input, expectedOutput, metadata, split and id are used as such; choose others below."
          placeholder="Choose a file"
          accept=".csv,.jsonl,.ndjson,.json"
          value={file}
          onChange={(chosen) => {
            setFile(chosen);
            setMapping(null);
            if (chosen !== null) void run(chosen, true, null);
          }}
        />
        {tried !== null && file !== null && (
          <ChooseColumns
            columns={tried.columns}
            mapping={tried.mapping}
            onChange={(chosen) => {
              setMapping(chosen);
              void run(file, true, chosen);
            }}
          />
        )}
        {tried !== null && <Preview tried={tried} />}
        <p role="alert" className="form-error">
          {failure}
        </p>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            loading={busy}
            disabled={file === null || tried === null || tried.valid === 0 || failure !== null}
            onClick={() => file !== null && void run(file, false, mapping)}
          >
            {tried === null ? 'Import' : `Import ${numberText(tried.valid)} items`}
          </Button>
        </Group>
      </div>
    </Dialog>
  );
}

const Preview = ({
  tried: { rows, valid, errors, sample },
}: {
  readonly tried: ImportReply;
}): JSX.Element => (
  <>
    <p>
      {numberText(rows)} rows, {numberText(valid)} of them are items.
    </p>
    {errors.length > 0 && (
      <ul>
        {errors.map(({ line, error }) => (
          <li key={line}>
            Line {line}: {error}
          </li>
        ))}
      </ul>
    )}
    {sample[0] !== undefined && (
      <>
        <p className="dim">The first item</p>
        <pre className="code">{JSON.stringify(sample[0], null, 2).slice(0, 2_000)}</pre>
      </>
    )}
  </>
);
