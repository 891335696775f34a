import type { JSX } from 'react';
import { useApi } from '../../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../../dashboard/shell/endpoint.ts';
import { ProjectLink } from '../../../../dashboard/shell/project-link.tsx';
import { useProjectId } from '../../../../dashboard/shell/scope/scope.ts';
import { Notice } from '../../../../dashboard/ui/states.tsx';
import type { projectSdkConfigEndpoint } from '../../../projects/contract.ts';
import type { StoredEvent } from '../../contract.ts';

const configApi = endpointOf<typeof projectSdkConfigEndpoint>('GET /v1/projects/:id/sdk-config');

/** The fields that the SDK left out because the event was too long. */
export const omittedOf = ({ metadata: { omitted } }: StoredEvent): readonly unknown[] =>
  Array.isArray(omitted) ? omitted : [];

/** Why there is nothing to read, and how to change that. */
export function NoContent({ event }: { event: StoredEvent }): JSX.Element | null {
  const id = useProjectId();
  const config = useApi(configApi, { params: { id } });
  if (omittedOf(event).length > 0)
    return (
      <Notice icon="inspect" title="The prompt and completion were too long to send">
        The SDK left them out, because an event may have at most 1 MB.
      </Notice>
    );
  if (config.data === undefined) return null;
  if (!config.data.storePrompts)
    return (
      <Notice
        icon="inspect"
        title="This project does not store prompts and completions"
        action={<ProjectLink page="project">Open the project's settings</ProjectLink>}
      >
        An admin can turn on <strong>Store prompts and completions</strong>. Then calls that are sent from
        then on can be read here.
      </Notice>
    );
  return (
    <Notice icon="inspect" title="This event came without prompt and completion">
      It was sent before the project stored them, or its sender leaves them out: the SDK sends them with{' '}
      <code>storePrompts: true</code>, OpenTelemetry instrumentations with{' '}
      <code>OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true</code>.
    </Notice>
  );
}
