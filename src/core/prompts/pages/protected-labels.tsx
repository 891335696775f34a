import { Button, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { CHANGED, changeSettingsApi, settingsApi } from './prompts-api.ts';

/** The labels that only admins change, in all prompts of the project. */
export function ProtectedLabels(): JSX.Element | null {
  const projectId = useProjectId();
  const { may } = useMember();
  const found = useApi(settingsApi, { query: { projectId } }).data?.protectedLabels;
  const [edited, setEdited] = useState<string | null>(null);
  const change = useChange({
    failed: 'The protected labels were not saved',
    send: async () => {
      const body = { protectedLabels: toLabels(edited ?? '') };
      await send(changeSettingsApi, { query: { projectId }, body });
      setEdited(null);
    },
    stale: [...CHANGED, settingsApi],
    done: 'The protected labels are saved',
  });
  if (found === undefined) return null;
  const saved = found.join(', ');
  return (
    <Panel title="Protected labels" detail="only admins move or remove them">
      {may('admin') ? (
        <form
          className="inline-form"
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate();
          }}
        >
          <TextInput
            size="xs"
            aria-label="Protected labels, with commas between"
            placeholder="production, staging"
            value={edited ?? saved}
            onChange={({ currentTarget }) => setEdited(currentTarget.value)}
          />
          <Button
            type="submit"
            size="xs"
            variant="default"
            disabled={edited === null || toLabels(edited).join(', ') === saved}
            loading={change.isPending}
          >
            Save
          </Button>
        </form>
      ) : (
        <p className="dim">{saved === '' ? 'None' : saved}</p>
      )}
    </Panel>
  );
}

const toLabels = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((label) => label.trim())
      .filter((label) => label !== ''),
  ),
];
