import { Button, Group, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { pagePath } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { FormModal } from '../../../dashboard/ui/form-modal.tsx';
import type { NewVersion, PromptVersion } from '../contract.ts';
import type { Draft } from './draft.ts';
import { MessageFields } from './message-fields.tsx';
import { Preview } from './preview.tsx';
import { CHANGED, createPromptApi, createVersionApi } from './prompts-api.ts';

const EMPTY: Draft = {
  type: 'text',
  template: '',
  messages: [{ role: 'system', content: '' }],
  config: '{}',
};

type Body = Pick<NewVersion, 'template' | 'messages' | 'config'>;

/** The body of a version; a text instead if the config cannot be read. */
function bodyOf({ type, template, messages, config }: Draft): Body | string {
  const body = type === 'text' ? { template } : { messages };
  try {
    const parsed: unknown = config.trim() === '' ? {} : JSON.parse(config);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
      return 'Config must be a JSON object, such as {"model": "gpt-4o"}';
    return { ...body, config: parsed as NewVersion['config'] };
  } catch (error) {
    return `Config is not JSON: ${(error as Error).message}`;
  }
}

type NewProps = { readonly folder: string; readonly onClose: () => void };

/** Creates a prompt with its first version. */
export function NewPrompt({ folder, onClose }: NewProps): JSX.Element {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [name, setName] = useState(folder === '' ? '' : `${folder}/`);
  const [type, setType] = useState<Draft['type']>('text');
  return (
    <Editor
      title="New prompt"
      submit="Create prompt"
      draft={{ ...EMPTY, type }}
      key={type}
      onClose={onClose}
      onSave={async (body) => {
        await send(createPromptApi, { query: { projectId }, body: { ...body, name } });
        await navigate({ to: pagePath(projectId, 'prompts/$promptName', { promptName: name.trim() }) });
      }}
    >
      <TextInput
        label="Name"
        description="/ makes folders: support/triage"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={200}
        data-autofocus
      />
      <NativeSelect
        label="Type"
        data={[
          { value: 'text', label: 'Text' },
          { value: 'chat', label: 'Chat messages' },
        ]}
        value={type}
        onChange={(event) => setType(event.currentTarget.value as Draft['type'])}
      />
    </Editor>
  );
}

type NextProps = { readonly from: PromptVersion; readonly onClose: () => void };

/** Writes the next version, beginning with another one. */
export function NextVersion({ from, onClose }: NextProps): JSX.Element {
  const projectId = useProjectId();
  const { name, type, template = '', messages = [], config, version } = from;
  const draft: Draft = { type, template, messages, config: JSON.stringify(config, null, 2) };
  return (
    <Editor
      title={`New version of ${name}, from version ${version}`}
      submit="Save as new version"
      draft={draft}
      onClose={onClose}
      onSave={(body) => send(createVersionApi, { params: { name }, query: { projectId }, body })}
    />
  );
}

type EditorProps = {
  readonly title: string;
  readonly submit: string;
  readonly draft: Draft;
  readonly onSave: (body: Body & { readonly message: string; readonly labels: string[] }) => Promise<unknown>;
  readonly onClose: () => void;
  readonly children?: JSX.Element | JSX.Element[];
};

function Editor({ title, submit, draft: given, onSave, onClose, children }: EditorProps): JSX.Element {
  const [draft, setDraft] = useState(given);
  const [message, setMessage] = useState('');
  const [labels, setLabels] = useState('');
  const body = bodyOf(draft);
  const save = useChange({
    failed: 'The prompt was not saved',
    send: async () => {
      if (typeof body === 'string') throw new Error(body);
      const names = labels.split(/[\s,]+/).filter((label) => label !== '');
      await onSave({ ...body, message, labels: names });
      onClose();
    },
    stale: CHANGED,
    done: 'The prompt was saved',
  });
  return (
    <FormModal onClose={onClose} title={title} size="xl" busy={save.isPending}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {children}
        <MessageFields draft={draft} onChange={setDraft} />
        <Textarea
          label="Config"
          description="JSON: model, temperature, maxTokens, tools, responseFormat and fields of your own"
          value={draft.config}
          onChange={(event) => setDraft({ ...draft, config: event.currentTarget.value })}
          error={typeof body === 'string' ? body : undefined}
          autosize
          minRows={2}
          maxRows={12}
          spellCheck={false}
        />
        <Preview draft={draft} />
        <TextInput
          label="What changed"
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
          maxLength={500}
        />
        <TextInput
          label="Labels"
          description="Labels to move to this version, separated by commas; empty publishes nothing yet"
          value={labels}
          onChange={(event) => setLabels(event.currentTarget.value)}
          placeholder="production"
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {submit}
          </Button>
        </Group>
      </form>
    </FormModal>
  );
}
