import type { InspectReply } from '../contract.ts';
import { ENVIRONMENT, RELEASE } from '../map/mapping.ts';
import { KEPT_OF_RESOURCE } from '../map/read-metadata.ts';
import type { Span } from '../read/span.ts';

const READ: ReadonlySet<string> = new Set([
  ...KEPT_OF_RESOURCE,
  'telemetry.sdk.name',
  'telemetry.sdk.version',
  ...[...ENVIRONMENT.from, ...RELEASE.from].flatMap((source) =>
    typeof source === 'object' && source.at === 'resource' ? [source.name] : [],
  ),
]);

/** The attributes of the resources of a request that are neither fields nor kept, each once. */
export function reportResources(spans: readonly Span[]): InspectReply['resource'] {
  const resources = new Set(spans.map(({ resource }) => resource));
  const names = new Set([...resources].flatMap((resource) => [...resource.keys()]));
  const reason =
    'describes the process or host; of a resource, service, environment, release and region are kept';
  return [...names].filter((name) => !READ.has(name)).map((name) => ({ name, reason }));
}
