import { z } from 'zod';
import { displayName } from '../orgs/contract.ts';
import { defineEndpoint, organizationParams, projectParams, ROLES } from '../tenancy/contract.ts';

const name = z.string().describe('Name of the project.');
const newName = displayName.describe('Name of the project, 1 to 200 characters.');
const environments = z
  .array(z.string().trim().min(1).max(100))
  .max(100)
  .describe('Environments that pages offer before the first event names them; at most 100.');

/** What of a project can be changed besides its SDK settings; what is left out stays. */
const projectChange = z.strictObject({
  name: newName.optional(),
  environments: environments.optional(),
  retentionDays: z
    .int()
    .min(1)
    .max(36_500)
    .nullable()
    .optional()
    .describe('Days for which events are kept, at most as many as the plan has; null follows the plan.'),
});
export type ProjectChange = z.infer<typeof projectChange>;

const projectReply = z
  .object({
    id: z.string().describe('Id of the project.'),
    name,
    organizationId: z.string().describe('Id of the organization that owns it.'),
    environments: z
      .array(z.string())
      .describe('Environments that pages offer before the first event names them.'),
    retentionDays: z.int().nullable().describe("The project's own retention in days; null follows the plan."),
    keptDays: z
      .int()
      .describe("Days for which events are kept: the lesser of the project's retention and the plan's."),
    createdAt: z.iso.datetime().describe('When the project was created, ISO 8601 UTC.'),
  })
  .meta({ id: 'Project' });
export type ProjectReply = z.infer<typeof projectReply>;

/** A project as lists show it. */
export type ProjectRow = {
  readonly id: string;
  /** The project's number in the event store. */
  readonly no: number;
  readonly name: string;
  readonly organizationId: string;
  readonly organizationName: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
};

/** A project that the caller may read. */
export const readableProject = z.object({
  id: z.string().describe('Id of the project.'),
  name,
  organizationId: z.string().describe('Id of the organization that owns it.'),
  organizationName: z.string().describe('Name of that organization.'),
  role: z.enum(ROLES).describe('Role in that organization: `owner`, `admin`, `member` or `viewer`.'),
  createdAt: z.iso.datetime().describe('When the project was created, ISO 8601 UTC.'),
});
export type ReadableProject = z.infer<typeof readableProject>;

export const readableProjectsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/projects',
  auth: 'reader',
  summary: 'List the projects that you can read, in all of your organizations',
  description:
    'With an access token: the projects that the token reaches. Organizations that require a second factor which you lack are left out.',
  reply: z.object({ projects: z.array(readableProject).describe('Projects, oldest first.') }),
});

export const listProjectsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id/projects',
  auth: 'organization',
  summary: 'List the projects of an organization',
  params: organizationParams,
  reply: z.object({
    projects: z.array(projectReply).describe('Projects of the organization, oldest first.'),
  }),
});

export const createProjectEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/:id/projects',
  auth: 'organization',
  role: 'admin',
  summary: 'Create a project',
  params: organizationParams,
  body: z.strictObject({ name: newName }),
  example: { name: 'Support assistant' },
  reply: projectReply,
  status: 201,
});

export const getProjectEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/projects/:id',
  auth: 'project',
  summary: 'Get a project with its settings',
  params: projectParams,
  reply: projectReply,
});

export const changeProjectEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/projects/:id',
  auth: 'project',
  role: 'admin',
  summary: 'Change the name, environments or retention of a project',
  params: projectParams,
  body: projectChange,
  example: { environments: ['production', 'staging'], retentionDays: 30 },
  reply: projectReply,
});

export const deleteProjectEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/projects/:id',
  auth: 'project',
  role: 'admin',
  recent: true,
  summary: 'Delete a project: its keys at once, its events within 24 hours',
  params: projectParams,
  reply: z.object({
    id: z.string().describe('Id of the project.'),
    name,
    deletedAt: z.iso.datetime().describe('When it was deleted, ISO 8601 UTC.'),
  }),
});

const sampleRate = z.number().min(0).max(1).describe('Fraction of events that clients send, 0 to 1.');
const storePrompts = z
  .boolean()
  .describe('Whether the project stores the text of prompts and completions; clients send it only then.');

/** A project's settings for SDKs, as an admin sets them. A field that is left out keeps its value. */
const sdkConfigChange = z.strictObject({
  version: z
    .int()
    .optional()
    .describe('The version that you read: with another one in force the change is refused (409).'),
  sampleRate: sampleRate.optional(),
  redactKeys: z
    .array(z.string().trim().min(1).max(100))
    .max(200)
    .optional()
    .describe('Key names whose values clients withhold besides the default list; at most 200.'),
  storePrompts: storePrompts.optional(),
  flushIntervalMs: z
    .int()
    .min(100)
    .max(600_000)
    .optional()
    .describe('Longest wait of a client before it sends a batch, 100 to 600,000 ms.'),
  maxBatchSize: z.int().min(1).max(100).optional().describe('Most events in a request, 1 to 100.'),
});
export type SdkConfigChange = z.infer<typeof sdkConfigChange>;

/** What a client asks for at its start and when `configVersion` of an ingest reply has changed. */
export const sdkConfig = z
  .object({
    version: z.int().describe('Number that grows with each change; ingest replies name it `configVersion`.'),
    sampleRate,
    redactKeys: z
      .array(z.string())
      .describe('Key names whose values clients withhold; an admin sees those besides the default list.'),
    storePrompts,
    flushIntervalMs: z.int().describe('Longest wait of a client before it sends a batch, in milliseconds.'),
    maxBatchSize: z.int().describe('Most events in a request.'),
  })
  .meta({ id: 'SdkConfig' });
export type SdkConfig = z.infer<typeof sdkConfig>;

/** What a client gets with its key: the settings, and where people see the project. */
export const clientConfig = sdkConfig
  .extend({
    projectId: z.string().describe("Id of the key's project."),
    publicUrl: z
      .string()
      .nullable()
      .describe('Address of the dashboard for browsers (`PUBLIC_URL`); null if it is not set.'),
  })
  .meta({ id: 'ClientConfig' });
export type ClientConfig = z.infer<typeof clientConfig>;

export const sdkConfigEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/sdk/config',
  auth: 'key',
  summary: 'Get the settings that a client of this project works with',
  description: 'The reply has an `ETag`; with it in `If-None-Match`, unchanged settings are answered 304.',
  reply: clientConfig,
});

export const projectSdkConfigEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/projects/:id/sdk-config',
  auth: 'project',
  summary: 'Get the SDK settings of a project',
  params: projectParams,
  reply: sdkConfig,
});

export const changeSdkConfigEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/projects/:id/sdk-config',
  auth: 'project',
  role: 'admin',
  summary: 'Change the SDK settings of a project; the next ingest reply has the new version',
  params: projectParams,
  body: sdkConfigChange,
  example: { sampleRate: 0.5, redactKeys: ['iban'] },
  reply: sdkConfig,
});
