import { z } from 'zod';
import { lineOfText } from '../../lib/schema/line-of-text.ts';
import { parseInstant } from '../../lib/time.ts';
import { instantParam, textParam } from '../events/contract.ts';
import { defineEndpoint, projectQuery } from '../tenancy/contract.ts';

/** Who said that there was a deployment: a request, or the first event of a release. */
export const DEPLOYMENT_SOURCES = ['reported', 'observed'] as const;

/** Most deployments of a project, and most new releases that its events may bring in a UTC day. */
export const MAX_DEPLOYMENTS = 10_000;
export const MAX_OBSERVED_PER_DAY = 200;

/** Most deployments in a page with figures before and after. */
export const MAX_WITH_EFFECT = 25;

/** Calls that each side of a comparison needs. With fewer, a percentile and a rate say little. */
export const MIN_CALLS = 30;

/** A link that a page may show: of the web, and without a password in it. */
const webLink = z
  .url({ protocol: /^https?$/, error: 'must be a link that starts with https:// or http://' })
  .max(2_000)
  .refine((text) => {
    const link = URL.parse(text);
    return link === null || (link.username === '' && link.password === '');
  }, 'must not contain a user name or a password');

/** What somebody says of a deployment. */
export const deploymentInput = z.strictObject({
  release: lineOfText(200).describe('Release, as events name it in `release`.'),
  environment: lineOfText(200).describe('Environment, as events name it.'),
  at: z
    .string()
    .refine((text) => parseInstant(text) !== null, 'must be ISO 8601 like 2026-01-31T12:00:00Z')
    .optional()
    .describe(
      'When it was deployed, ISO 8601. Default: the first event of the release in the environment, or now without one.',
    ),
  commit: lineOfText(200).optional().describe('Commit, such as a Git hash.'),
  url: webLink.optional().describe('Link to the release or the CI job; `https` or `http`.'),
  title: lineOfText(300).optional().describe('What changed, in a line.'),
});
export type DeploymentInput = z.output<typeof deploymentInput>;

export const deploymentSchema = z
  .object({
    id: z.string().describe('Id of the deployment.'),
    projectId: z.string().describe('Id of the project.'),
    release: z.string().describe('Release, as events name it in `release`.'),
    environment: z.string().describe('Environment, as events name it.'),
    at: z.string().describe('When it was deployed, ISO 8601 UTC.'),
    source: z
      .enum(DEPLOYMENT_SOURCES)
      .describe('`reported`: by a request. `observed`: the first event of a new release.'),
    commit: z.string().nullable().describe('Commit; null if none was reported.'),
    url: z.string().nullable().describe('Link to the release or the CI job; null if none was reported.'),
    title: z.string().nullable().describe('What changed; null if nothing was reported.'),
    firstEventAt: z
      .string()
      .nullable()
      .describe(
        'Time of the earliest event of the release in the environment, ISO 8601 UTC; null without one.',
      ),
    lastEventAt: z
      .string()
      .nullable()
      .describe('Time of the latest such event, to the day, ISO 8601 UTC; null without one.'),
    createdAt: z.string().describe('When it was first known, ISO 8601 UTC.'),
  })
  .meta({ id: 'Deployment' });
export type Deployment = z.infer<typeof deploymentSchema>;

/** A deployment after a request. */
export const reportedDeployment = deploymentSchema.extend({
  created: z
    .boolean()
    .describe('False if the release was known in the environment, from a request or from its events.'),
  changed: z
    .array(z.enum(['at', 'commit', 'url', 'title', 'source']))
    .describe('Facts that this request changed; empty for a repetition.'),
});
export type ReportedDeployment = z.infer<typeof reportedDeployment>;

const figure = (description: string) =>
  z.number().nullable().describe(`${description} Null if there are not enough calls.`);

const sideSchema = z.object({
  start: z.string().describe('Start of the window, ISO 8601 UTC.'),
  end: z.string().describe('End of the window, ISO 8601 UTC, exclusive.'),
  calls: z.int().describe('Calls of the environment in the window.'),
  unpriced: z.int().describe('Calls without a known price; the cost per call leaves them out.'),
  costPerCall: figure('Mean cost of a priced call, in USD.'),
  latencyP50: figure('Median latency, in milliseconds.'),
  latencyP95: figure('95th percentile of the latency, in milliseconds.'),
  errorRate: figure('Fraction of calls that failed.'),
});
export type EffectSide = z.infer<typeof sideSchema>;

/** The figures before and after a deployment. */
export const effectSchema = z
  .object({
    before: sideSchema.describe('The window before the deployment.'),
    after: sideSchema.describe('The window of equal length after it.'),
    change: z
      .object({
        costPerCall: figure('Change as a fraction of the figure before.'),
        latencyP50: figure('Change as a fraction of the figure before.'),
        latencyP95: figure('Change as a fraction of the figure before.'),
        errorRate: figure('Difference of the fractions, after minus before.'),
      })
      .describe(
        'Differences between the windows; null where a side has too few calls, or the figure before is 0.',
      ),
    enough: z.boolean().describe(`Whether both windows have at least ${MIN_CALLS} calls.`),
    note: z
      .string()
      .nullable()
      .describe('Why figures are missing or less exact, or what else may explain a change.'),
    others: z
      .array(z.object({ id: z.string().describe('Id.'), release: z.string().describe('Release.') }))
      .describe('Other deployments of the environment in the two windows, at most 10.'),
  })
  .meta({ id: 'DeploymentEffect' });
export type DeploymentEffect = z.infer<typeof effectSchema>;

const hours = z.coerce
  .number()
  .int()
  .min(1)
  .max(168)
  .describe('Length of each window in hours, 1 to 168; shorter for a younger deployment.');

export const deploymentsPage = z.object({
  deployments: z
    .array(
      deploymentSchema.extend({
        effect: effectSchema.optional().describe('Figures before and after; only with `effectHours`.'),
      }),
    )
    .describe('Deployments, newest first.'),
  nextCursor: z.string().nullable().describe('Pass it as `cursor` for the next page; null on the last one.'),
  skipped: z
    .object({
      release: z.string().describe('The newest release that was not kept.'),
      environment: z.string().describe('Its environment.'),
      at: z.string().describe('When it was seen, ISO 8601 UTC.'),
    })
    .nullable()
    .describe(
      `Set if releases of the last 7 days are missing, because events bring at most ${MAX_OBSERVED_PER_DAY} new ones a day and a project keeps at most ${MAX_DEPLOYMENTS.toLocaleString('en-US')}.`,
    ),
});
export type DeploymentsPage = z.infer<typeof deploymentsPage>;

const deploymentParams = z.object({ id: z.string().max(100).describe('Id of the deployment.') });

export const listDeploymentsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/deployments',
  auth: 'project',
  summary: 'List deployments, newest first',
  query: projectQuery.extend({
    start: instantParam.describe('Only deployments at or after this time, ISO 8601 UTC.'),
    end: instantParam.describe('Only deployments until this time, ISO 8601 UTC.'),
    environment: textParam(200).describe('Only deployments of this environment.'),
    release: textParam(200).describe('Only deployments of this release.'),
    effectHours: hours
      .optional()
      .describe(
        'Adds the figures of so many hours, 1 to 168, before and after each; a page then has at most 25 deployments.',
      ),
    cursor: textParam(200).describe('`nextCursor` of the previous page; without one, the first page.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(200)
      .default(50)
      .describe('Most deployments in a page, 1 to 200. Default: 50.'),
  }),
  reply: deploymentsPage,
});
export type DeploymentsQuery = Omit<z.output<typeof listDeploymentsEndpoint.query>, 'projectId'>;

export const createDeploymentEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/deployments',
  auth: 'project',
  role: 'member',
  scopes: ['deployments:write'],
  summary: 'Report a deployment; a repetition changes only what it says otherwise',
  description:
    'A release is deployed once in an environment. A second request for the same two adds or replaces the facts that it names and leaves the others; `changed` lists them. Deploying an older release again moves it if the request says `at`.',
  query: projectQuery,
  body: deploymentInput,
  example: { release: '2.4.1', environment: 'production', commit: '9f2c1ab', title: 'Smaller prompts' },
  reply: reportedDeployment,
  status: 201,
});

export const deploymentEffectEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/deployments/:id/effect',
  auth: 'project',
  summary: 'Compare calls, cost, latency and errors before and after a deployment',
  description:
    'Both windows have the same length and cover all calls of the environment, whichever release made them.',
  query: projectQuery.extend({ hours: hours.default(24) }),
  params: deploymentParams,
  reply: effectSchema.extend({ deployment: deploymentSchema.describe('The deployment.') }),
});

export const deleteDeploymentEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/deployments/:id',
  auth: 'project',
  role: 'member',
  scopes: ['deployments:write'],
  summary: 'Delete a deployment; events of the release do not bring it back',
  query: projectQuery,
  params: deploymentParams,
  status: 204,
});
