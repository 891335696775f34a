import { NativeSelect } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import type { PromptVersion } from '../contract.ts';
import { DiffView } from './diff-view.tsx';
import { Preview } from './preview.tsx';
import css from './prompts.module.css';
import { diffApi, listVersionsApi } from './prompts-api.ts';

type Props = { readonly version: PromptVersion; readonly edit: ReactNode };

/** What a version says, or how it differs from another one. */
export function VersionPanel({ version, edit }: Props): JSX.Element {
  const projectId = useProjectId();
  const { search } = useScope('prompts/$promptName');
  const setSearch = useSetSearch<'prompts/$promptName'>();
  const { name, version: number } = version;
  const versions = useApi(listVersionsApi, { params: { name }, query: { projectId } }).data?.versions ?? [];
  const others = versions.filter((one) => one.version !== number);
  const compare = search.compare;
  return (
    <Panel
      title={`Version ${number}`}
      actions={
        <>
          <ProjectLink page="playground" search={{ prompt: name, version: String(number) }}>
            Open in playground
          </ProjectLink>
          {others.length > 0 && (
            <NativeSelect
              size="xs"
              aria-label="Compare with"
              data={[
                { value: '', label: 'Compare with…' },
                ...others.map((one) => ({ value: String(one.version), label: `Version ${one.version}` })),
              ]}
              value={compare ?? ''}
              onChange={({ currentTarget: { value } }) => setSearch({ compare: value || undefined })}
            />
          )}
          {edit}
        </>
      }
    >
      {compare === undefined ? (
        <VersionText version={version} />
      ) : (
        <Comparison name={name} from={compare} to={number} />
      )}
    </Panel>
  );
}

function Comparison({ name, from, to }: { name: string; from: string; to: number }): JSX.Element {
  const projectId = useProjectId();
  const diff = useApi(diffApi, { params: { name }, query: { projectId, from, to: String(to) } });
  return (
    <Loaded of={diff} loading={<LoadingRows rows={6} />}>
      {(data) => <DiffView diff={data} />}
    </Loaded>
  );
}

function VersionText({ version }: { version: PromptVersion }): JSX.Element {
  const { type, template = '', messages = [], config } = version;
  return (
    <div className="form">
      {type === 'text' ? (
        <Highlighted text={template} />
      ) : (
        messages.map(({ role, content }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place
          <div key={i}>
            <span className="dim">{role}</span>
            <Highlighted text={content} />
          </div>
        ))
      )}
      {Object.keys(config).length > 0 && (
        <div>
          <span className="dim">Config</span>
          <pre className={css.text}>{JSON.stringify(config, null, 2)}</pre>
        </div>
      )}
      <Preview draft={{ type, template, messages }} />
    </div>
  );
}

/** A template with its variables and includes marked. */
const Highlighted = ({ text }: { text: string }): JSX.Element => (
  <pre className={css.text}>
    {text.split(/(\{\{[^{}]*\}\})/).map((piece, i) =>
      i % 2 === 1 ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
        <span key={i} className={css.variable}>
          {piece}
        </span>
      ) : (
        piece
      ),
    )}
  </pre>
);
