import type { listChannelsEndpoint } from '../../../core/deliveries/channels/contract.ts';
import { endpointOf, type Handle } from '../../../dashboard/shell/endpoint.ts';
import type {
  listDefinitionsEndpoint,
  StatementBy,
  statementEndpoint,
  statementsEndpoint,
} from '../contract.ts';

/** The endpoints that the pages of statements read. */
export const statementsApi: Handle<typeof statementsEndpoint> = endpointOf<typeof statementsEndpoint>(
  'GET /v1/organizations/:id/statements',
);
export const statementApi: Handle<typeof statementEndpoint> = endpointOf<typeof statementEndpoint>(
  'GET /v1/organizations/:id/statements/party',
);
export const definitionsApi: Handle<typeof listDefinitionsEndpoint> = endpointOf<
  typeof listDefinitionsEndpoint
>('GET /v1/organizations/:id/statement-definitions');
export const channelsApi: Handle<typeof listChannelsEndpoint> =
  endpointOf<typeof listChannelsEndpoint>('GET /v1/channels');

const NAMES: Readonly<Record<string, string>> = { project: 'Project', user: 'User', key: 'API key' };

/** `Project`, `Tag customer`. */
export const byText = (by: string): string => NAMES[by] ?? `Tag ${by.slice('tag:'.length)}`;

/** The kind of party that an address names, else the first that has a definition, else projects. */
export const byOf = (text: string | undefined, first: string | undefined): StatementBy => {
  const by = text ?? first ?? 'project';
  return (by in NAMES || /^tag:./.test(by) ? by : 'project') as StatementBy;
};

/** The month that an address names, else the last one. */
export function monthOf(text: string | undefined, now: number): string {
  if (text !== undefined && /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])$/.test(text)) return text;
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

/** `October 2026`. */
export const monthText = (month: string): string =>
  new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01T00:00:00Z`),
  );
