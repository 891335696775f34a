import { NativeSelect } from '@mantine/core';
import { type JSX, useState } from 'react';
import type { compiledEndpoint, listVersionsEndpoint } from '../../core/prompts/contract.ts';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import type { ColumnVersion } from './draft.ts';
import { toolsAndSchema } from './from-config.ts';

const versionsApi = endpointOf<typeof listVersionsEndpoint>('GET /v1/prompts/:name/versions');
const compiledApi = endpointOf<typeof compiledEndpoint>('GET /v1/prompts/:name/compiled');

type Props = {
  /** The prompt that is open. */
  readonly prompt: string;
  readonly value: ColumnVersion | null;
  readonly onChange: (version: ColumnVersion | null) => void;
};

/** Whether a column runs the messages of the editor, or a version of the prompt as it is stored. */
export function VersionSelect({ prompt, value, onChange }: Props): JSX.Element {
  const projectId = useProjectId();
  const [error, setError] = useState<string | null>(null);
  const versions = useApi(versionsApi, {
    params: { name: prompt },
    query: { projectId, limit: 200 },
  });
  const choose = async (number: string): Promise<void> => {
    setError(null);
    if (number === '') return onChange(null);
    try {
      const version = Number(number);
      const { variables, config } = await send(compiledApi, {
        params: { name: prompt },
        query: { projectId, version },
      });
      onChange({ name: prompt, version, variables, config, ...toolsAndSchema(config) });
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  return (
    <NativeSelect
      label="Text"
      value={value === null ? '' : String(value.version)}
      error={error}
      data={[
        { value: '', label: 'Messages of the editor' },
        ...(versions.data?.versions ?? []).map(({ version, labels }) => ({
          value: String(version),
          label: `Version ${version}${labels.length === 0 ? '' : ` (${labels.join(', ')})`}`,
        })),
      ]}
      onChange={({ currentTarget }) => void choose(currentTarget.value)}
    />
  );
}
