import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { useProjectId, useScope } from '../../../dashboard/shell/scope/scope.ts';
import type { SearchOf } from '../../../dashboard/shell/scope/search.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Failure, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { AlertEditor } from './alert-editor.tsx';
import { getAlertApi } from './alerts-api.ts';
import { formOf, newForm, type RuleForm } from './rule-form.ts';
import { isMeasure } from './rule-options.ts';

/** A new alert: empty, on what a chart or a row shows, or as a copy of another. */
export function NewAlertPage(): JSX.Element {
  const projectId = useProjectId();
  const { search } = useScope('alerts/new');
  const { may } = useMember();
  const { copy = '' } = search;
  const asked = { params: { id: copy }, query: { projectId } };
  const original = useApi(getAlertApi, asked, { enabled: copy !== '' });
  if (!may('member'))
    return (
      <Page title="New alert" scoped={false}>
        <Panel>
          <Notice icon="alerts" title="Viewers cannot create alerts">
            Ask a member of the organization.
          </Notice>
        </Panel>
      </Page>
    );
  if (copy === '') return <AlertEditor key={JSON.stringify(search)} id={null} first={askedFor(search)} />;
  if (original.data !== undefined) {
    const form = formOf(original.data);
    return <AlertEditor key={copy} id={null} first={{ ...form, name: `${form.name} (copy)` }} />;
  }
  return (
    <Page title="New alert" scoped={false}>
      <Panel flush>
        {original.error === null ? <LoadingRows rows={6} /> : <Failure error={original.error} />}
      </Panel>
    </Page>
  );
}

/** What the address asks for. */
function askedFor({ measure, groupBy, environment, filter }: SearchOf<'alerts/new'>): RuleForm {
  const isTag = groupBy?.startsWith('tag:') === true;
  return newForm({
    ...(measure !== undefined && isMeasure(measure) && { measure }),
    ...(groupBy !== undefined && { groupBy: isTag ? 'tag' : groupBy, tag: isTag ? groupBy.slice(4) : '' }),
    ...(environment !== undefined && { environment }),
    ...(filter !== undefined && { filter }),
  });
}
