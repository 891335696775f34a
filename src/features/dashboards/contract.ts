import { z } from 'zod';
import { defineEndpoint, projectQuery } from '../../core/tenancy/contract.ts';
import { lineOfText } from '../../lib/schema/line-of-text.ts';
import { storedTileSchema, tilesSchema } from './tiles/contract.ts';

/** Most dashboards of a project, private ones included. */
export const MAX_DASHBOARDS = 100;

const name = lineOfText(80).describe('Name, 1 to 80 characters, unique among those you see.');
const shared = z.boolean().describe('Whether everybody in the project sees it; else only its author.');
const tiles = tilesSchema.describe('Tiles; at most 24.');

/** A dashboard as it is exported and imported. */
export const dashboardBody = z.strictObject({
  name,
  shared: shared.default(true).describe('Whether everybody in the project sees it. Default: true.'),
  tiles: tiles.default([]).describe('Tiles; at most 24. Default: none.'),
});
export type DashboardBody = z.output<typeof dashboardBody>;

const listed = {
  id: z.string().describe('Id.'),
  name,
  shared,
  createdBy: z.string().describe('Id of the author.'),
  author: z.string().nullable().describe('Name of the author; null if the account is gone.'),
  updatedAt: z.iso.datetime().describe('Time of the last change, ISO 8601 UTC.'),
};
export const dashboardSchema = z
  .object({
    ...listed,
    revision: z.int().describe('Number of the last change, from 1.'),
    tiles: z.array(storedTileSchema).describe('Tiles.'),
  })
  .meta({ id: 'Dashboard' });
export type Dashboard = z.output<typeof dashboardSchema>;
const listedSchema = z.object({ ...listed, tileCount: z.int().describe('Number of tiles.') });
export type ListedDashboard = z.output<typeof listedSchema>;

const params = z.object({ id: z.string().max(100).describe('Id of the dashboard.') });

const EXAMPLE_DASHBOARD = {
  name: 'Releases',
  tiles: [
    {
      id: 'a',
      title: 'Cost by release',
      kind: 'bars',
      measures: ['cost'],
      groupBy: ['release'],
      filter: 'environment:production',
      x: 0,
      y: 0,
      w: 6,
      h: 3,
    },
  ],
} as const;

export const listDashboardsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/dashboards',
  auth: 'project',
  summary: 'List the dashboards of a project that you see: shared ones and your own',
  query: projectQuery,
  reply: z.object({ dashboards: z.array(listedSchema).describe('Dashboards, by name; at most 100.') }),
});

export const postDashboardEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/dashboards',
  auth: 'project',
  role: 'member',
  summary: 'Create a dashboard',
  query: projectQuery,
  body: dashboardBody,
  example: EXAMPLE_DASHBOARD,
  reply: dashboardSchema,
  status: 201,
});

export const getDashboardEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/dashboards/:id',
  auth: 'project',
  summary: 'Get a dashboard with its tiles',
  query: projectQuery,
  params,
  reply: dashboardSchema,
});

export const putDashboardEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/dashboards/:id',
  auth: 'project',
  role: 'member',
  summary: 'Replace a dashboard; your own, or any shared one as an admin',
  query: projectQuery,
  params,
  body: dashboardBody.extend({
    revision: z
      .int()
      .optional()
      .describe('The revision that you changed: 409 if there is a newer one. Default: replace any.'),
  }),
  example: { ...EXAMPLE_DASHBOARD, revision: 1 },
  reply: dashboardSchema,
});

export const deleteDashboardEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/dashboards/:id',
  auth: 'project',
  role: 'member',
  summary: 'Delete a dashboard; your own, or any shared one as an admin',
  query: projectQuery,
  params,
  status: 204,
});
