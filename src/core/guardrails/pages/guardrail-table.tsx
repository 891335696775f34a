import { Button, Group } from '@mantine/core';
import type { JSX } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { DataTable } from '../../../dashboard/ui/data-table.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import type { GuardrailReply } from '../contract.ts';
import { CHANGED, deleteGuardrailApi } from './guardrails-api.ts';

const STAGES = { input: 'Input', output: 'Output', both: 'Input and output' } as const;

/** A dialog of the page: the form of a new or an existing guardrail, or its versions. */
export type Opened = { readonly what: 'form' | 'versions'; readonly guardrail: GuardrailReply | null };

type Props = {
  readonly guardrails: readonly GuardrailReply[];
  readonly onOpen: (opened: Opened) => void;
};

/** The definitions with their checks and actions. */
export function GuardrailTable({ guardrails, onOpen }: Props): JSX.Element {
  const { may } = useMember();
  return (
    <DataTable
      label="Guardrails"
      rows={guardrails}
      rowKey={({ id }) => id}
      columns={withCells<GuardrailReply>([
        {
          id: 'name',
          header: 'Guardrail',
          value: ({ name }) => name,
          cell: ({ name, description }) => (
            <>
              {name}
              {description !== '' && (
                <>
                  <br />
                  <span className="dim clip">{description}</span>
                </>
              )}
            </>
          ),
        },
        {
          id: 'checks',
          header: 'Checks',
          wide: true,
          wraps: true,
          value: ({ checks }) => checks.map(({ kind, action }) => `${kind} (${action})`).join(', '),
        },
        { id: 'stage', header: 'Looks at', value: ({ stage }) => STAGES[stage] },
        { id: 'state', header: 'State', wraps: true, value: stateOf },
        {
          id: 'actions',
          header: '',
          cell: (guardrail) => (
            <Group gap={4} wrap="nowrap" justify="flex-end">
              {may('member') && (
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => onOpen({ what: 'form', guardrail })}
                  aria-label={`Edit ${guardrail.name}`}
                >
                  Edit
                </Button>
              )}
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => onOpen({ what: 'versions', guardrail })}
                aria-label={`Version ${guardrail.version} of ${guardrail.name}`}
              >
                Version {guardrail.version}
              </Button>
              {may('member') && <Delete guardrail={guardrail} />}
            </Group>
          ),
        },
      ])}
    />
  );
}

const stateOf = ({ enabled, sampleRate, environments, failureMode }: GuardrailReply): string =>
  [
    enabled ? 'On' : 'Off',
    ...(sampleRate < 1 ? [`${Math.round(sampleRate * 1000) / 10} % of texts`] : []),
    ...(environments.length > 0 ? [environments.join(', ')] : []),
    ...(failureMode === 'closed' ? ['closed if a check fails'] : []),
  ].join(' · ');

function Delete({ guardrail: { id, name } }: { readonly guardrail: GuardrailReply }): JSX.Element {
  const projectId = useProjectId();
  const remove = useChange({
    failed: 'The guardrail was not deleted',
    send: () => send(deleteGuardrailApi, { params: { id }, query: { projectId } }),
    stale: CHANGED,
    done: `${name} was deleted`,
  });
  return (
    <Confirm
      label="Delete"
      title={`Delete the guardrail ${name}?`}
      confirm="Delete"
      onConfirm={() => remove.mutate()}
    >
      Texts are no longer checked by it. Its events and figures stay.
    </Confirm>
  );
}
