import { Button, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import type {
  createPromptEndpoint,
  createVersionEndpoint,
  getPromptEndpoint,
  listPromptsEndpoint,
  listVersionsEndpoint,
} from '../../core/prompts/contract.ts';
import { refresh, send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { useNotify } from '../../dashboard/shell/notices/notices.tsx';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { FormDialog } from '../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import { type Column, configOf, type Draft } from './draft.ts';

const promptsApi = endpointOf<typeof listPromptsEndpoint>('GET /v1/prompts');
const createApi = endpointOf<typeof createPromptEndpoint>('POST /v1/prompts');
const versionApi = endpointOf<typeof createVersionEndpoint>('POST /v1/prompts/:name/versions');
const promptApi = endpointOf<typeof getPromptEndpoint>('GET /v1/prompts/:name');
const versionsApi = endpointOf<typeof listVersionsEndpoint>('GET /v1/prompts/:name/versions');

type Props = { readonly draft: Draft; readonly column: Column | undefined };

/** Saves the messages and the settings of the first model as a version of a chat prompt. */
export function SaveVersion({ draft, column }: Props): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  if (!useMember().may('member') || column === undefined) return null;
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
        Save as version
      </Button>
      {isOpen && <SaveDialog draft={draft} column={column} onClose={() => setOpen(false)} />}
    </>
  );
}

function SaveDialog({
  draft,
  column,
  onClose,
}: {
  draft: Draft;
  column: Column;
  onClose: () => void;
}): JSX.Element {
  const projectId = useProjectId();
  const notify = useNotify();
  const form = useSubmit(async ({ name = '', message = '' }) => {
    const config = configOf(draft, column);
    if ('problem' in config) throw new Error(config.problem);
    const { maxOutputTokens, ...rest } = config;
    const version = {
      messages: draft.messages
        .filter(({ content }) => content !== '')
        .map(({ role, content }) => ({ role, content })),
      config: {
        model: column.model,
        ...rest,
        ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
      },
      message,
    };
    const query = { projectId };
    const { prompts } = await send(promptsApi, { query: { ...query, q: name, limit: 200 } });
    if (prompts.some((prompt) => prompt.name === name))
      await send(versionApi, { params: { name }, query, body: version });
    else await send(createApi, { query, body: { name, ...version } });
    notify({ message: `Saved as a version of ${name}` });
    onClose();
    await refresh(promptsApi, promptApi, versionsApi);
  });
  return (
    <FormDialog title="Save as version" form={form} submit="Save" onClose={onClose}>
      <TextInput
        name="name"
        label="Prompt"
        description="An existing chat prompt gets a new version, another name makes a new prompt"
        defaultValue={draft.prompt?.name ?? ''}
        required
        data-autofocus
      />
      <TextInput name="message" label="What changed" maxLength={500} />
    </FormDialog>
  );
}
