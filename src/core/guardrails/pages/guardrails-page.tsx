import { Button } from '@mantine/core';
import { type JSX, lazy, Suspense, useState } from 'react';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { Paged } from '../../../dashboard/shell/paged.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { usePages } from '../../../dashboard/shell/use-pages.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Notice } from '../../../dashboard/ui/states.tsx';
import { Accuracy } from './accuracy.tsx';
import { Figures } from './figures.tsx';
import { GuardrailTable, type Opened } from './guardrail-table.tsx';
import { listGuardrailsApi } from './guardrails-api.ts';
import { TryOut } from './try-out.tsx';

const GuardrailForm = lazy(async () => ({ default: (await import('./guardrail-form.tsx')).GuardrailForm }));
const Versions = lazy(async () => ({ default: (await import('./versions.tsx')).Versions }));

/** The guardrails of a project: what they did, what they are, and a box to try them. */
export function GuardrailsPage(): JSX.Element {
  const projectId = useProjectId();
  const { may } = useMember();
  const [opened, setOpened] = useState<Opened | null>(null);
  const pages = usePages(listGuardrailsApi, { query: { projectId } });
  const known = pages.data?.pages.flatMap(({ guardrails }) => guardrails) ?? [];
  const add = may('member') && (
    <Button onClick={() => setOpened({ what: 'form', guardrail: null })}>New guardrail</Button>
  );
  const close = (): void => setOpened(null);
  return (
    <Page title="Guardrails" actions={add}>
      <div className="stack">
        <Figures />
        <Panel title="Definitions" flush>
          <Paged
            pages={pages}
            rowsOf={({ guardrails }) => guardrails}
            more="More guardrails"
            empty={
              <Notice icon="guardrails" title="No guardrails yet" action={add}>
                A guardrail looks at texts before they go to a model, or at what comes back, and flags,
                redacts or blocks them. It keeps no text.
              </Notice>
            }
          >
            {(guardrails) => <GuardrailTable guardrails={guardrails} onOpen={setOpened} />}
          </Paged>
        </Panel>
        {may('member') && <TryOut guardrails={known} />}
        <Accuracy />
      </div>
      <Suspense>
        {opened?.what === 'form' && <GuardrailForm guardrail={opened.guardrail} onClose={close} />}
        {opened?.what === 'versions' && opened.guardrail !== null && (
          <Versions guardrail={opened.guardrail} onClose={close} />
        )}
      </Suspense>
    </Page>
  );
}
