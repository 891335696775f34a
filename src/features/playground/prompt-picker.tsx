import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type JSX, useState } from 'react';
import type { listPromptsEndpoint } from '../../core/prompts/contract.ts';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useProjectId, useSetSearch } from '../../dashboard/shell/scope/scope.ts';

const promptsApi = endpointOf<typeof listPromptsEndpoint>('GET /v1/prompts');
const PAUSE_MS = 250;

/** Opens the newest version of a prompt of the library, found by a part of its name. */
export function PromptPicker(): JSX.Element {
  const projectId = useProjectId();
  const setSearch = useSetSearch<'playground'>();
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text, PAUSE_MS);
  const query = { projectId, limit: 20, ...(asked !== '' && { q: asked }) };
  const found = useApi(promptsApi, { query });
  const names = (found.data?.prompts ?? []).map(({ name }) => name);
  return (
    <Autocomplete
      size="xs"
      aria-label="Open a prompt"
      placeholder="Open a prompt"
      value={text}
      onChange={setText}
      onOptionSubmit={(prompt) => {
        setSearch({ prompt, version: undefined, label: 'latest', event: undefined, at: undefined });
        // The field writes the chosen name first.
        setTimeout(() => setText(''));
      }}
      data={names}
      // The server has chosen already.
      filter={({ options }) => options}
      maxDropdownHeight={320}
      comboboxProps={{ width: 'max-content', position: 'bottom-end' }}
    />
  );
}
