import { useNavigate, useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { refresh, send, useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { useNotify } from '../../../dashboard/shell/notices/notices.tsx';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink, pagePath } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { timeText } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import type { Evaluator, EvaluatorVersion } from '../contract.ts';
import { draftOf, draftOfReady, NEW_DRAFT } from './draft.ts';
import { EvaluatorEditor } from './evaluator-editor.tsx';
import css from './evaluators.module.css';
import { changeApi, createApi, deleteApi, getApi, libraryApi, listApi } from './evaluators-api.ts';

const BACK = <ProjectLink page="evaluators">Evaluators</ProjectLink>;

/** A new evaluator, empty or from a ready judge. */
export function NewEvaluatorPage(): JSX.Element {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { search } = useScope('evaluators/new');
  const library = useApi(libraryApi, {});
  return (
    <Page title="New evaluator" back={BACK} scoped={false}>
      <Loaded of={library} loading={<LoadingRows rows={8} />}>
        {({ judges }) => {
          const ready = judges.find(({ id }) => id === search.from);
          return (
            <EvaluatorEditor
              key={search.from ?? ''}
              start={ready === undefined ? NEW_DRAFT : draftOfReady(ready)}
              submit="Create evaluator"
              onSave={async (body) => {
                const { id } = await send(createApi, { query: { projectId }, body });
                await refresh(listApi);
                await navigate({ to: pagePath(projectId, 'evaluators/$evaluatorId', { evaluatorId: id }) });
              }}
            />
          );
        }}
      </Loaded>
    </Page>
  );
}

/** One evaluator: to change, to try, and its versions. */
export function EvaluatorPage(): JSX.Element {
  const { evaluatorId: id = '' } = useParams({ strict: false });
  const projectId = useProjectId();
  const notify = useNotify();
  const evaluator = useApi(getApi, { params: { id }, query: { projectId } });
  return (
    <Page
      title={evaluator.data?.name ?? 'Evaluator'}
      back={BACK}
      actions={evaluator.data && <Delete evaluator={evaluator.data} />}
      scoped={false}
    >
      <Loaded of={evaluator} loading={<LoadingRows rows={8} />}>
        {(data) => (
          <div className="stack">
            <EvaluatorEditor
              key={data.version}
              start={draftOf(data)}
              evaluatorId={id}
              submit="Save"
              onSave={async (body) => {
                const saved = await send(changeApi, { params: { id }, query: { projectId }, body });
                notify({
                  message: saved.version === data.version ? 'Saved' : `Saved as version ${saved.version}`,
                });
                await refresh(listApi, getApi);
              }}
            />
            <Versions versions={data.versions} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Delete({ evaluator: { id, name } }: { readonly evaluator: Evaluator }): JSX.Element | null {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { may } = useMember();
  const remove = useChange({
    failed: 'The evaluator was not deleted',
    done: `${name} was deleted`,
    send: async () => {
      await send(deleteApi, { params: { id }, query: { projectId } });
      await navigate({ to: pagePath(projectId, 'evaluators') });
    },
    stale: [listApi],
  });
  if (!may('member')) return null;
  return (
    <Confirm
      label="Delete"
      size="xs"
      title={`Delete ${name}?`}
      confirm="Delete evaluator"
      onConfirm={() => remove.mutate()}
    >
      Its scores stay. Online rules that use it stop.
    </Confirm>
  );
}

function Versions({ versions }: { readonly versions: readonly EvaluatorVersion[] }): JSX.Element {
  const zone = useZone();
  return (
    <Panel title="Versions" detail="newest first">
      <div className="stack">
        {versions.map(({ version, kind, config, output, scoreName, createdAt }) => (
          <details key={version}>
            <summary>
              <strong>Version {version}</strong>{' '}
              <span className="dim">
                {kind}, score {scoreName}, {timeText.minute(Date.parse(createdAt), zone)}
              </span>
            </summary>
            <pre className={css.text}>
              {JSON.stringify({ config, ...(output !== null && { output }) }, null, 2)}
            </pre>
          </details>
        ))}
      </div>
    </Panel>
  );
}
