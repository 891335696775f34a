import type { METRIC_DIMENSIONS } from '../../../core/events/query/contract.ts';
import { termOf } from '../../../lib/filter-terms.ts';

type Dimension = {
  readonly label: string;
  /** What calls without one are called. */
  readonly none: string;
  /** What the filter language calls it. */
  readonly field: string;
};

export const DIMENSIONS: Readonly<Record<keyof typeof METRIC_DIMENSIONS, Dimension>> = {
  model: { label: 'Model', none: 'No model', field: 'model' },
  provider: { label: 'Provider', none: 'No provider', field: 'provider' },
  environment: { label: 'Environment', none: 'No environment', field: 'environment' },
  release: { label: 'Release', none: 'No release', field: 'release' },
  agent: { label: 'Agent', none: 'No agent', field: 'agent' },
  agentVersion: { label: 'Agent version', none: 'No agent version', field: 'agentVersion' },
  tool: { label: 'Tool', none: 'No tool', field: 'tool' },
  promptName: { label: 'Prompt', none: 'No prompt', field: 'prompt' },
  promptVersion: { label: 'Prompt version', none: 'No prompt version', field: 'promptVersion' },
  userId: { label: 'User', none: 'No user', field: 'user' },
  sessionId: { label: 'Session', none: 'No session', field: 'session' },
  keyId: { label: 'API key', none: 'No API key', field: 'key' },
  status: { label: 'Status', none: 'No status', field: 'status' },
  errorCode: { label: 'Error code', none: 'No error code', field: 'error' },
  finishReason: { label: 'Finish reason', none: 'No finish reason', field: 'finish' },
  kind: { label: 'Kind', none: 'No kind', field: 'kind' },
  operation: { label: 'Operation', none: 'No operation', field: 'operation' },
};

const TAG = 'tag:';

/** The label, the name of calls without a value and the filter field of a dimension. */
export const dimensionOf = (dimension: string): Dimension => {
  if (!dimension.startsWith(TAG))
    return (
      DIMENSIONS[dimension as keyof typeof DIMENSIONS] ?? {
        label: dimension,
        none: 'None',
        field: dimension,
      }
    );
  const name = dimension.slice(TAG.length);
  return { label: name, none: `No ${name}`, field: `tag.${name}` };
};

/** The filter's term for the calls with a value of a dimension; null: for those without one. */
export function groupTerm(dimension: string, value: string | null): string {
  const { field } = dimensionOf(dimension);
  return value === null ? `-${field}:*` : termOf(field, value);
}

/** What a group is called by the values of its dimensions. */
export const groupName = (
  key: Readonly<Record<string, string | null>>,
  nameOf: NameOfValue = (_, value) => value,
): string =>
  Object.entries(key)
    .map(([dimension, value]) => (value === null ? dimensionOf(dimension).none : nameOf(dimension, value)))
    .join(' · ');

/** What a value of a dimension is called, such as the name of an API key for its id. */
export type NameOfValue = (dimension: string, value: string) => string;
