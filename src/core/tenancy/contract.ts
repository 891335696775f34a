import { z } from 'zod';
import type { Endpoint, ExactEndpoint } from '../../http/endpoint.ts';

/** Roles of members, most rights first. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Scopes of access tokens. Only `GRANTED_SCOPES` can be given to a token; no endpoint needs the others yet.
 *
 * - `read`: all reads.
 * - The others each admit to the endpoints that declare them.
 */
export const TOKEN_SCOPES = [
  'read',
  'prompts:read',
  'guardrails:check',
  'scores:write',
  'datasets:write',
  'experiments:run',
  'deployments:write',
  'ai:use',
] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/**
 * Scopes that admit to at least one endpoint. The others are refused, so that a token never gains rights that nobody
 * saw when it was created.
 */
export const GRANTED_SCOPES = [
  'read',
  'prompts:read',
  'guardrails:check',
  'scores:write',
  'datasets:write',
  'experiments:run',
  'deployments:write',
  'ai:use',
] as const satisfies readonly TokenScope[];

/**
 * Who may call an endpoint:
 *
 * - `none`: everybody, up to a number of requests per network address; `limit: 'off'` lifts it.
 * - `key`: a project's API key in `x-api-key`; `anyKey`: also in `Authorization`, for OpenTelemetry clients. Requests
 *   count against its limit for events, or with `limit: 'fetch'` against that for what clients fetch.
 * - `session`: a signed-in user.
 * - `reader`: a signed-in user or any access token with one of `scopes`; the reply depends on what the caller reaches.
 * - `project`, `organization`: a member of the named organization, or of the named project's organization, with at
 *   least `role` (default `viewer`). `limit: 'ai'` counts the call against the organization's rate limit.
 *
 * A member may also send an access token with one of `scopes`. The default is `read` for `GET` and no token for other
 * methods; `recent` endpoints admit none. Endpoints about people, keys, access tokens and channels declare `scopes: []`.
 */
export type Access =
  | {
      readonly auth: 'none';
      readonly role?: never;
      readonly limit?: 'off';
      readonly scopes?: never;
      readonly recent?: never;
    }
  | {
      readonly auth: 'key' | 'anyKey';
      readonly role?: never;
      readonly limit?: 'fetch';
      readonly scopes?: never;
      readonly recent?: never;
    }
  | {
      readonly auth: 'session';
      readonly role?: never;
      readonly limit?: never;
      readonly scopes?: never;
      readonly recent?: true;
    }
  | {
      readonly auth: 'reader';
      readonly role?: never;
      readonly limit?: never;
      readonly scopes?: readonly TokenScope[];
      readonly recent?: never;
    }
  | {
      readonly auth: 'project' | 'organization';
      readonly role?: Role;
      readonly limit?: 'ai';
      readonly scopes?: readonly TokenScope[];
      readonly recent?: true;
    };

/**
 * Describes an endpoint; `routes.ts` binds it to its handler with `route`.
 * @example
 * export const costsEndpoint = defineEndpoint({
 *   method: 'GET', path: '/v1/costs', auth: 'project', summary: 'Costs of a window', query, reply,
 * });
 */
export const defineEndpoint = <const E extends Endpoint & Access>(endpoint: ExactEndpoint<E>): E => endpoint;

/** The project of a request, in the query of endpoints outside `/v1/projects/:id`. */
export const projectIdParam = z
  .string()
  .describe('Id of the project. You must be a member of its organization.');
/** The organization of a request, in the query of endpoints outside `/v1/organizations/:id`. */
export const organizationIdParam = z.string().describe('Id of the organization. You must be a member of it.');

/** Query of endpoints that need nothing but the project. */
export const projectQuery = z.object({ projectId: projectIdParam });
/** Query of endpoints that need nothing but the organization. */
export const organizationQuery = z.object({ organizationId: organizationIdParam });
/** Path parameters of `/v1/projects/:id`. */
export const projectParams = z.object({ id: projectIdParam });
/** Path parameters of `/v1/organizations/:id`. */
export const organizationParams = z.object({ id: organizationIdParam });
