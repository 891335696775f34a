import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { useProjectId, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { timeText } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import type { LabelVersion, PromptDetail, PromptLabel } from '../contract.ts';
import { versionsText } from './label-text.ts';
import { CHANGED, deleteLabelApi, historyApi, listVersionsApi, putLabelApi } from './prompts-api.ts';

/** The labels of a prompt, the way to move one, and how they were moved. */
export function LabelPanel({ prompt }: { readonly prompt: PromptDetail }): JSX.Element {
  const zone = useZone();
  const projectId = useProjectId();
  const { may } = useMember();
  const { name, labels } = prompt;
  const history =
    useApi(historyApi, { params: { name }, query: { projectId, limit: 20 } }).data?.changes ?? [];
  return (
    <Panel title="Labels" detail="an application gets production unless it asks for another label">
      <div className="form">
        {labels.length === 0 && (
          <p className="dim">No label yet: applications can fetch this prompt only by version.</p>
        )}
        {labels.map((label) => (
          <div key={label.label} className="inline-form">
            <span>
              <strong>{label.label}</strong> {versionsText(label.versions)}
              {label.isProtected && <span className="dim"> · protected</span>}
            </span>
            {may(label.isProtected ? 'admin' : 'member') && <RemoveLabel name={name} label={label} />}
          </div>
        ))}
        {may('member') && <MoveLabel prompt={prompt} />}
        {history.length > 0 && (
          <details>
            <summary>History</summary>
            <ul>
              {history.map(({ id, label, previous, versions, changedBy, changedAt }) => (
                <li key={id}>
                  {timeText.minute(changedAt, zone)} <strong>{label}</strong>{' '}
                  {previous === null ? '' : `${versionsText(previous)} → `}
                  {versions === null ? 'removed' : versionsText(versions)}{' '}
                  <span className="dim">{changedBy ?? 'somebody who left'}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </Panel>
  );
}

function RemoveLabel({
  name,
  label: { label, versions, isProtected },
}: {
  readonly name: string;
  readonly label: PromptLabel;
}): JSX.Element {
  const projectId = useProjectId();
  const remove = useChange({
    failed: 'The label was not removed',
    send: () => send(deleteLabelApi, { params: { name, label }, query: { projectId } }),
    stale: CHANGED,
    done: `${label} is removed from ${name}`,
  });
  return (
    <Confirm
      label="Remove"
      title={`Remove ${label} from ${name}?`}
      confirm="Remove label"
      onConfirm={() => remove.mutate()}
      {...(isProtected ? { word: label } : {})}
    >
      It is {versionsText(versions)} now. Applications that ask for {label} get 404 and use what they have, or
      their fallback.
    </Confirm>
  );
}

/** Points a label at a version, or at two with a share. */
function MoveLabel({ prompt: { name, labels } }: { readonly prompt: PromptDetail }): JSX.Element {
  const projectId = useProjectId();
  const { may } = useMember();
  const known = useApi(listVersionsApi, { params: { name }, query: { projectId } }).data?.versions ?? [];
  const [label, setLabel] = useState('production');
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const [share, setShare] = useState(10);
  const version = Number(first || known[0]?.version);
  const body: LabelVersion[] =
    second === ''
      ? [{ version, weight: 1 }]
      : [
          { version, weight: 100 - share },
          { version: Number(second), weight: share },
        ];
  const move = useChange({
    failed: 'The label was not moved',
    send: () =>
      send(putLabelApi, { params: { name, label }, query: { projectId }, body: { versions: body } }),
    stale: CHANGED,
    done: `${label} of ${name} is now ${versionsText(body)}`,
  });
  const options = known.map((one) => ({ value: String(one.version), label: `Version ${one.version}` }));
  const current: PromptLabel | undefined = labels.find((one) => one.label === label);
  const isClosed = current?.isProtected === true && !may('admin');
  if (known.length === 0) return <p className="dim">There is no version to label.</p>;
  return (
    <div className="inline-form">
      <TextInput
        size="xs"
        aria-label="Label"
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label="Version"
        data={options}
        value={first || options[0]?.value}
        onChange={(event) => setFirst(event.currentTarget.value)}
      />
      {known.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label="Second version"
          data={[
            { value: '', label: 'no split' },
            ...options.filter(({ value }) => value !== String(version)),
          ]}
          value={second}
          onChange={(event) => setSecond(event.currentTarget.value)}
        />
      )}
      {second !== '' && (
        <NumberInput
          size="xs"
          aria-label="Share of the second version in percent"
          min={1}
          max={99}
          suffix="%"
          value={share}
          onChange={(value) => setShare(Math.min(99, Math.max(1, Number(value) || 1)))}
        />
      )}
      {isClosed ? (
        <Button size="xs" disabled title="Only admins move a protected label">
          Move label
        </Button>
      ) : (
        <Confirm
          label="Move label"
          size="xs"
          title={`Point ${label} at ${versionsText(body)}?`}
          confirm="Move label"
          danger={false}
          onConfirm={() => move.mutate()}
          {...(current?.isProtected === true ? { word: label } : {})}
        >
          {current === undefined ? 'The label is new. ' : `It is ${versionsText(current.versions)} now. `}
          Applications that ask for {label} get it within a minute.
        </Confirm>
      )}
    </div>
  );
}
