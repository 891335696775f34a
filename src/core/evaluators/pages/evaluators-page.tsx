import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink, pagePath } from '../../../dashboard/shell/project-link.tsx';
import { QualityTabs } from '../../../dashboard/shell/quality-tabs.tsx';
import { useProjectId, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import type { Evaluator } from '../contract.ts';
import { listApi } from './evaluators-api.ts';
import { KIND_LABELS } from './kind-fields.ts';
import { ReadyJudges } from './ready-judges.tsx';

/** The evaluators of a project, and judges that are ready to use. */
export function EvaluatorsPage(): JSX.Element {
  const projectId = useProjectId();
  const zone = useZone();
  const navigate = useNavigate();
  const { may } = useMember();
  const list = useApi(listApi, { query: { projectId } });
  const add = may('member') && (
    <Button onClick={() => void navigate({ to: pagePath(projectId, 'evaluators/new') })}>
      New evaluator
    </Button>
  );
  const columns = withCells<Evaluator>([
    {
      id: 'name',
      header: 'Evaluator',
      wide: true,
      value: ({ name }) => name,
      cell: ({ id, name, description }) => (
        <>
          <ProjectLink
            page="evaluators/$evaluatorId"
            params={{ evaluatorId: id }}
            className="row-link"
            title={name}
          >
            {name}
          </ProjectLink>
          {description !== '' && (
            <>
              <br />
              <span className="dim clip">{description}</span>
            </>
          )}
        </>
      ),
    },
    { id: 'kind', header: 'Kind', value: ({ kind }) => KIND_LABELS[kind].split(':')[0] ?? kind },
    { id: 'score', header: 'Score', value: ({ scoreName }) => scoreName },
    { id: 'version', header: 'Version', align: 'right', value: ({ version }) => version },
    {
      id: 'changed',
      header: 'Changed',
      value: ({ updatedAt }) => updatedAt,
      cell: ({ updatedAt }) => timeText.minute(Date.parse(updatedAt), zone),
    },
  ]);
  return (
    <Page title="Evaluators" actions={add} scoped={false}>
      <QualityTabs />
      <Panel flush>
        <Loaded of={list} loading={<LoadingRows rows={4} height={49} />}>
          {({ evaluators }) =>
            evaluators.length === 0 ? (
              <Notice icon="evaluators" title="No evaluators yet">
                An evaluator judges outputs: by a rule, or by asking a model. Start with a ready judge below,
                or make your own.
              </Notice>
            ) : (
              <DataTable label="Evaluators" columns={columns} rows={evaluators} rowKey={({ id }) => id} />
            )
          }
        </Loaded>
      </Panel>
      <ReadyJudges />
    </Page>
  );
}
