import { type Ctx, listService, type Service } from '../../../context.ts';
import { findOrganization } from '../../../core/orgs/index.ts';
import { OutboundError } from '../../../core/outbound/index.ts';
import { operatorOrganization } from '../../../core/tenancy/index.ts';
import { AppError } from '../../../errors.ts';
import type { Job } from '../../../module.ts';
import { fetchConnector } from './fetch-connector.ts';
import { ConnectorError } from './get-json.ts';
import { listScopes } from './queries.ts';
import { type ConnectorSetting, readConnectors } from './settings.ts';
import { noteFailure } from './store-figures.ts';
import { warnOfDrift } from './warn.ts';

const configured: Service<readonly ConnectorSetting[]> = {
  name: 'reconcile.connectors',
  open: (ctx) => readConnectors(ctx.config),
};
export const connectorServices = [listService(configured)];

/** All connectors that the operator configured. @throws ConfigError */
export const connectorsOf = (ctx: Ctx): readonly ConnectorSetting[] => ctx.use(configured);

/** Those of an organization, which is named by its id or name. */
export async function connectorsWithin(ctx: Ctx, organizationId: string): Promise<ConnectorSetting[]> {
  const all = connectorsOf(ctx);
  if (all.length === 0) return [];
  const owners = await Promise.all(all.map((setting) => ownerOf(ctx, setting)));
  return all.filter((_, i) => owners[i] === organizationId);
}

/** The id of the organization that a connector names; null if there is none, or several. */
async function ownerOf(ctx: Ctx, { organization }: ConnectorSetting): Promise<string | null> {
  try {
    return (await findOrganization(ctx, organization)).id;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Fetches every connector, one after another; the failure of one leaves the others. */
export const fetchConnectors: Job = {
  name: 'connectors.fetch',
  summary: "Fetch the providers' own figures and warn of differences",
  schedule: '23 4 * * *',
  quiet: true,
  run: async (ctx, signal) => {
    const settings = connectorsOf(ctx);
    if (settings.length === 0) return {};
    const failures: string[] = [];
    const sum = { figures: 0, restated: 0, warned: 0 };
    for (const setting of settings) {
      signal.throwIfAborted();
      try {
        const done = await fetchOne(ctx, setting, signal);
        sum.figures += done.figures;
        sum.restated += done.restated;
        sum.warned += done.warned;
      } catch (error) {
        signal.throwIfAborted();
        failures.push(`${setting.id}: ${reasonOf(error)}`);
        if (!isKnown(error)) logUnknown(ctx, setting, error);
      }
    }
    if (failures.length > 0)
      throw new Error(`${failures.length} of ${settings.length} connectors failed: ${failures.join('; ')}`);
    return { connectors: settings.length, ...sum };
  },
};

async function fetchOne(ctx: Ctx, setting: ConnectorSetting, signal: AbortSignal) {
  const { id: organizationId } = await findOrganization(ctx, setting.organization);
  try {
    const { figures, restated, days } = await fetchConnector(ctx, setting, { organizationId, signal });
    await requireProjects(ctx, setting, organizationId);
    return { figures, restated, warned: await warnOfDrift(ctx, setting, { organizationId, days }) };
  } catch (error) {
    if (!signal.aborted) await noteFailure(ctx, { organizationId, connector: setting.id }, reasonOf(error));
    throw error;
  }
}

/** A project that was renamed or deleted would silently be left out of the comparison. Throws ConnectorError. */
async function requireProjects(ctx: Ctx, { projects }: ConnectorSetting, organizationId: string) {
  const known = await listScopes(ctx, operatorOrganization(organizationId));
  const lost = projects.find((given) => !known.some(({ id, name }) => id === given || name === given));
  if (lost !== undefined)
    throw new ConnectorError(`the organization has no project ${lost}: correct projects of the connector`);
}

const isKnown = (error: unknown): error is Error =>
  error instanceof ConnectorError || error instanceof OutboundError || error instanceof AppError;

function logUnknown(ctx: Ctx, { id, key }: ConnectorSetting, error: unknown): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : 'not an error';
  ctx.log.error({ connector: id, stack: stack.replaceAll(key, '***') }, 'a connector failed');
}

/** What may be shown: other errors could quote the request, which has the key. */
function reasonOf(error: unknown): string {
  if (isKnown(error)) return error.message;
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'not complete within 20 minutes';
  return 'failed for a reason of this server; see its log';
}
