import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { AlertDraft } from '../contract.ts';
import css from './alert-editor.module.css';
import { ALERTS_STALE, createAlertApi, updateAlertApi } from './alerts-api.ts';
import { ConditionFields } from './condition-fields.tsx';
import { LinkButton } from './link-button.tsx';
import { NotifyFields } from './notify-fields.tsx';
import { type FieldsProps, type RuleForm, readForm, suggestName } from './rule-form.ts';
import { RulePreview } from './rule-preview.tsx';
import { WatchFields } from './watch-fields.tsx';

type Props = {
  /** Of the alert that is changed; null for a new one. */
  readonly id: string | null;
  readonly first: RuleForm;
};

/** A rule as a form, beside what it would have done in the last 30 days. */
export function AlertEditor({ id, first }: Props): JSX.Element {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [form, setForm] = useState(first);
  const { rule, problem } = readForm(form);
  const save = useChange<AlertDraft>({
    failed: 'The alert was not saved',
    inForm: true,
    send: async (body) => {
      const query = { projectId };
      const saved =
        id === null
          ? await send(createAlertApi, { query, body })
          : await send(updateAlertApi, { params: { id }, query, body });
      await navigate({
        to: '/projects/$projectId/alerts/$alertId',
        params: { projectId, alertId: saved.id },
      });
    },
    stale: ALERTS_STALE,
    done: 'The alert is judged every minute',
  });
  const submit = useSubmit(async () => {
    if (rule === null) throw new Error(problem.message);
    const name = form.name.trim() === '' ? suggestName(form) : form.name;
    await save.mutateAsync({ ...rule, name });
  });
  const fields: FieldsProps = {
    form,
    set: (patch) => setForm((before) => ({ ...before, ...patch })),
    problemOf: (field) => (problem?.field === field ? problem.message : undefined),
  };
  return (
    <Page
      title={id === null ? 'New alert' : `Edit ${first.name}`}
      back={<ProjectLink page="alerts">Alerts</ProjectLink>}
      scoped={false}
    >
      <div className={css.editor}>
        <form onSubmit={submit.onSubmit} className={css.form} aria-label="Rule">
          <Panel title="Watch">
            <WatchFields {...fields} />
          </Panel>
          <Panel title="Fire when">
            <ConditionFields {...fields} />
          </Panel>
          <Panel title="Notify">
            <NotifyFields {...fields} />
          </Panel>
          <p role="alert" className="form-error">
            {submit.failure}
          </p>
          <Group gap="xs">
            <Button type="submit" loading={submit.busy}>
              {id === null ? 'Create alert' : 'Save alert'}
            </Button>
            <LinkButton
              variant="default"
              {...(id === null
                ? { page: 'alerts' as const }
                : { page: 'alerts/$alertId' as const, alertId: id })}
            >
              Cancel
            </LinkButton>
          </Group>
        </form>
        <div className={css.preview}>
          <RulePreview rule={rule} />
        </div>
      </div>
    </Page>
  );
}
