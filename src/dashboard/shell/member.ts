import type { getMeEndpoint, Me } from '../../core/auth/contract.ts';
import type { Role } from '../../core/tenancy/contract.ts';
import { useApi } from './api.ts';
import { endpointOf, type Handle } from './endpoint.ts';
import { useProjectId } from './scope/scope.ts';

/** Who is signed in, with their memberships. */
export const meApi: Handle<typeof getMeEndpoint> = endpointOf<typeof getMeEndpoint>('GET /v1/auth/me');

/** An organization of the signed-in person, with its projects. */
export type Membership = Me['memberships'][number];

/** Rights, least first. */
const RANK: Readonly<Record<Role, number>> = { viewer: 0, member: 1, admin: 2, owner: 3 };

/** Who is looking at this project's pages, and what they may do. The server holds to it whatever is shown. */
export type Member = {
  readonly userId: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly projectName: string;
  readonly role: Role;
  readonly may: (least: Role) => boolean;
};

export function useMember(): Member {
  const projectId = useProjectId();
  const me = useApi(meApi, {}).data;
  const membership = me?.memberships.find(({ projects }) => projects.some(({ id }) => id === projectId));
  const role = membership?.role ?? 'viewer';
  return {
    userId: me?.user.id ?? '',
    organizationId: membership?.organizationId ?? '',
    organizationName: membership?.organizationName ?? '',
    projectName: membership?.projects.find(({ id }) => id === projectId)?.name ?? '',
    role,
    may: (least) => RANK[role] >= RANK[least],
  };
}
