import { z } from 'zod';
import { defineEndpoint, projectQuery } from '../../../core/tenancy/contract.ts';

/** Most silences of a project that have not ended. */
export const MAX_SILENCES = 500;
const HALF_A_YEAR_MS = 182 * 24 * 3_600_000;

export const silenceInput = z
  .strictObject({
    alertId: z.string().min(1).max(100).optional().describe('Id of the alert. Default: all of the project.'),
    group: z.string().max(500).optional().describe('Group of that alert. Default: all of its groups.'),
    until: z.iso.datetime({ offset: true }).describe('When it ends, ISO 8601; at most a year from now.'),
    reason: z.string().trim().min(1).max(500).describe('Why, 1 to 500 characters.'),
  })
  .refine(({ alertId, group }) => group === undefined || alertId !== undefined, {
    path: ['group'],
    message: 'needs the alertId that it is a group of',
  });
export type SilenceInput = z.output<typeof silenceInput>;

export const silenceSchema = z
  .object({
    id: z.string().describe('Id of the silence.'),
    projectId: z.string().describe('Id of the project.'),
    alertId: z.string().nullable().describe('Id of the alert; null for all of the project.'),
    alert: z.string().nullable().describe('Name of the alert; null for all of the project.'),
    group: z.string().nullable().describe('Group of that alert; null for all of its groups.'),
    until: z.string().describe('When it ends, ISO 8601 UTC.'),
    reason: z.string().describe('Why.'),
    createdBy: z.string().nullable().describe('Name of the person who created it; null if unknown.'),
    createdAt: z.string().describe('When it was created, ISO 8601 UTC.'),
  })
  .meta({ id: 'Silence' });
export type Silence = z.infer<typeof silenceSchema>;

export const listSilencesEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/silences',
  auth: 'project',
  summary: 'List the silences of a project that have not ended',
  query: projectQuery,
  reply: z.object({
    silences: z.array(silenceSchema).describe('Silences, the one that ends first comes first.'),
    nextCursor: z.null().describe('Always null: a project has at most 500 silences.'),
  }),
});

export const createSilenceEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/silences',
  auth: 'project',
  role: 'member',
  summary: 'Hold back the notifications of an alert, of one of its groups or of all alerts until a time',
  description:
    'States and history go on. An alert that still fires when the silence ends notifies then; the resolution of an alert that fired before is always told.',
  query: projectQuery,
  body: silenceInput,
  example: (now: Date) => ({
    until: new Date(now.getTime() + HALF_A_YEAR_MS).toISOString(),
    reason: 'Planned maintenance',
  }),
  reply: silenceSchema,
  status: 201,
});

export const deleteSilenceEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/silences/:id',
  auth: 'project',
  role: 'member',
  summary: 'End a silence',
  query: projectQuery,
  params: z.object({ id: z.string().max(100).describe('Id of the silence.') }),
  status: 204,
});
