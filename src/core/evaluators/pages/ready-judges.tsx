import { Button, NativeSelect } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { moneyText } from '../../../lib/figures.ts';
import type { Agreement, ReadyJudge } from '../contract.ts';
import css from './evaluators.module.css';
import { libraryApi, measureApi, modelsApi } from './evaluators-api.ts';

/** Judges that are ready to use, with their templates, and how far they agree with labelled examples. */
export function ReadyJudges(): JSX.Element {
  const library = useApi(libraryApi, {});
  return (
    <Panel title="Ready judges" detail="with labelled examples to measure them">
      <Loaded of={library} loading={<LoadingRows rows={7} />}>
        {({ judges }) => (
          <div className="stack">
            {judges.map((judge) => (
              <ReadyJudgeRow key={judge.id} judge={judge} />
            ))}
          </div>
        )}
      </Loaded>
    </Panel>
  );
}

function ReadyJudgeRow({ judge }: { readonly judge: ReadyJudge }): JSX.Element {
  const { may } = useMember();
  const { id, title, description, needs, messages } = judge;
  return (
    <details>
      <summary>
        <strong>{title}</strong> <span className="dim">{description}</span>
      </summary>
      <p className="dim">Needs {needs.join(', ')}.</p>
      {messages.map(({ role, content }) => (
        <pre key={role} className={css.text}>
          {role}: {content}
        </pre>
      ))}
      {may('member') && (
        <>
          <p>
            <ProjectLink page="evaluators/new" search={{ from: id }} title={`Use ${title}`}>
              Use this judge
            </ProjectLink>
          </p>
          <Measure judge={id} />
        </>
      )}
    </details>
  );
}

/** Has a model judge the labelled examples. */
function Measure({ judge }: { readonly judge: string }): JSX.Element | null {
  const projectId = useProjectId();
  const models = useApi(modelsApi, { query: { projectId } }).data?.models ?? [];
  const [found, setFound] = useState<Agreement | null>(null);
  const form = useSubmit(async ({ model = '' }) => {
    setFound(null);
    setFound(await send(measureApi, { query: { projectId }, body: { judge, model } }));
  });
  if (models.length === 0) return null;
  return (
    <>
      <form onSubmit={form.onSubmit} className="inline-form">
        <NativeSelect name="model" size="xs" aria-label="Model" data={models.map((one) => one.id)} />
        <Button type="submit" size="xs" variant="default" loading={form.busy}>
          Measure agreement
        </Button>
        <span className="dim">Asks the model eight times.</span>
      </form>
      <p role="alert" className="form-error">
        {form.failure}
      </p>
      <div role="status">{found !== null && <AgreementText found={found} />}</div>
    </>
  );
}

const AgreementText = ({ found }: { readonly found: Agreement }): JSX.Element => (
  <>
    <p>
      <strong>
        {found.agreed} of {found.examples} agree
      </strong>
      , Cohen's kappa {found.kappa === null ? 'not defined' : found.kappa.toFixed(2)}
      {found.failed > 0 && `, ${found.failed} failed`}
      {found.costUsd !== null && <span className="dim">, {moneyText(found.costUsd)}</span>}
    </p>
    <ul>
      {found.differences.map(({ output, label, judged, reason }) => (
        <li key={output}>
          “{output}”: labelled {label}, judged {judged}. <span className="dim">{reason}</span>
        </li>
      ))}
    </ul>
  </>
);
