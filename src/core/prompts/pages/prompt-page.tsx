import { Button } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type JSX, lazy, Suspense, useState } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink, pagePath } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Snippet } from '../../../dashboard/ui/snippet.tsx';
import { Failure, Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import type { PromptDetail, PromptVersion } from '../contract.ts';
import { LabelPanel } from './label-panel.tsx';
import { deletePromptApi, listPromptsApi, promptApi, versionApi } from './prompts-api.ts';
import { VersionPanel } from './version-panel.tsx';
import { VersionTable } from './version-table.tsx';

const NextVersion = lazy(async () => ({ default: (await import('./prompt-editor.tsx')).NextVersion }));

/** A prompt: its versions with their figures, the text of one of them, and its labels. */
export function PromptPage(): JSX.Element {
  const { promptName: name = '' } = useParams({ strict: false });
  const projectId = useProjectId();
  const prompt = useApi(promptApi, { params: { name }, query: { projectId } });
  const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : undefined;
  const back = (
    <ProjectLink page="prompts" search={{ folder }}>
      {folder ?? 'Prompts'}
    </ProjectLink>
  );
  if (prompt.error !== null && prompt.data === undefined)
    return (
      <Page title={name} back={back} scoped={false}>
        <Failure error={prompt.error} retry={() => void prompt.refetch()} />
      </Page>
    );
  return (
    <Page title={name} back={back} actions={prompt.data && <Actions prompt={prompt.data} />}>
      <Loaded of={prompt} loading={<LoadingRows rows={12} />}>
        {(data) => <Body prompt={data} />}
      </Loaded>
    </Page>
  );
}

function Body({ prompt }: { readonly prompt: PromptDetail }): JSX.Element {
  const projectId = useProjectId();
  const { search } = useScope('prompts/$promptName');
  const setSearch = useSetSearch<'prompts/$promptName'>();
  const { may } = useMember();
  const [isEditing, setIsEditing] = useState(false);
  const { name, latestVersion, description, tags, includedBy } = prompt;
  const shown = Number(search.version) || latestVersion;
  const version = useApi(
    versionApi,
    { params: { name, version: shown ?? 0 }, query: { projectId } },
    { enabled: shown !== null },
  );
  return (
    <div className="stack">
      {(description !== '' || tags.length > 0) && (
        <p className="dim">
          {[description, tags.length > 0 ? `Tags: ${tags.join(', ')}` : '']
            .filter((text) => text !== '')
            .join(' · ')}
        </p>
      )}
      <VersionTable prompt={prompt} shown={shown} />
      {version.data !== undefined && (
        <VersionPanel
          version={version.data}
          edit={
            may('member') && (
              <Button size="xs" onClick={() => setIsEditing(true)}>
                Edit as new version
              </Button>
            )
          }
        />
      )}
      <LabelPanel prompt={prompt} />
      {includedBy.length > 0 && (
        <Panel title="Included by">
          {includedBy.map(({ name: user, version: of }) => (
            <p key={user}>
              <ProjectLink page="prompts/$promptName" params={{ promptName: user }}>
                {user}
              </ProjectLink>{' '}
              <span className="dim">version {of}</span>
            </p>
          ))}
        </Panel>
      )}
      {version.data !== undefined && (
        <Panel title="In your application">
          <Snippet text={snippetOf(version.data)} label="How an application uses this prompt" />
        </Panel>
      )}
      {isEditing && version.data !== undefined && (
        <Suspense>
          <NextVersion
            from={version.data}
            onClose={() => {
              setIsEditing(false);
              setSearch({ version: undefined });
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

function snippetOf({ name, type, variables }: PromptVersion): string {
  const options = type === 'chat' ? ", { type: 'chat' }" : '';
  const values = variables.map((variable) => `${JSON.stringify(variable)}: '…'`).join(', ');
  return `const prompt = await ledger.prompt(${JSON.stringify(name)}${options});
const ${type === 'chat' ? 'messages' : 'text'} = prompt.compile({ ${values} });`;
}

function Actions({ prompt: { name } }: { readonly prompt: PromptDetail }): JSX.Element | false {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { may } = useMember();
  const remove = useChange({
    failed: 'The prompt was not deleted',
    send: async () => {
      await send(deletePromptApi, { params: { name }, query: { projectId, confirm: name } });
      await navigate({ to: pagePath(projectId, 'prompts') });
    },
    stale: [listPromptsApi],
    done: `${name} is deleted`,
  });
  return (
    may('member') && (
      <Confirm
        label="Delete"
        size="xs"
        title={`Delete ${name}?`}
        word={name}
        confirm="Delete prompt"
        onConfirm={() => remove.mutate()}
      >
        All versions and labels are deleted. Applications use what they have in memory, or their fallback.
      </Confirm>
    )
  );
}
