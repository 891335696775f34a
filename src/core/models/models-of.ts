import { type Ctx, listService, type Service } from '../../context.ts';
import { badRequest, unavailable } from '../../errors.ts';
import { createShare } from '../../http/share.ts';
import type { FairGate } from '../../lib/fair-gate.ts';
import { nearest } from '../../lib/nearest.ts';
import { eventsOf } from '../events/index.ts';
import { outboundOf } from '../outbound/index.ts';
import type { ModelAnswer } from './answer.ts';
import { type ProviderSetting, readProviders } from './settings.ts';

/** Calls at once: of one organization, and of all. None waits: the asker's connection would be silent meanwhile. */
const RUNNING = { total: 64, each: 16 };
const WAITING = { total: 0, each: 0 };

/** Calls of jobs at once. They wait, so that a job never takes the places of people. */
const BACKGROUND = { running: { total: 32, each: 8 }, waiting: { total: 20_000, each: 2_000 } };

/** The models of an open app and the calls that run. */
export type Models = {
  readonly providers: readonly ProviderSetting[];
  /** Limits the calls at once by organization. */
  readonly gate: FairGate;
  /** The same for calls of jobs. */
  readonly backgroundGate: FairGate;
  /** Calls with a key, by project and key, while they run. */
  readonly keyed: Map<string, Promise<ModelAnswer>>;
  /** Random name of this process, in the rows of its running calls. */
  readonly process: string;
  /** Calls until their event is stored. */
  readonly running: Set<Promise<unknown>>;
  /** Aborted with `stopped` when the server stops. */
  readonly stopping: AbortController;
};

const models: Service<Models> = {
  name: 'models',
  open: (ctx) => {
    // Opened before and so closed after: what a stopped call is recorded with.
    eventsOf(ctx);
    outboundOf(ctx);
    return {
      providers: readProviders(ctx.config),
      gate: createShare('calls of models', { running: RUNNING, waiting: WAITING }),
      backgroundGate: createShare('calls of models in the background', BACKGROUND),
      keyed: new Map(),
      process: Bun.randomUUIDv7(),
      running: new Set(),
      stopping: new AbortController(),
    };
  },
  close: stop,
};
export const modelServices = [listService(models)];

async function stop({ stopping, running }: Models): Promise<void> {
  stopping.abort('stopped');
  await Promise.allSettled(running);
}

/** @throws ConfigError if the configuration of models is not valid */
export const modelsOf = (ctx: Ctx): Models => ctx.use(models);

/** Ends the running calls and stores their events. Later ones end at once. */
export const stopModels = (ctx: Ctx): Promise<void> => stop(modelsOf(ctx));

/** A model that may be called. */
export type FoundModel = { readonly setting: ProviderSetting; readonly model: string };

/** All models by their id. */
export const listAllowed = (ctx: Ctx): Map<string, FoundModel> =>
  new Map(
    modelsOf(ctx).providers.flatMap((setting) =>
      setting.models.map((model) => [`${setting.name}/${model}`, { setting, model }] as const),
    ),
  );

const UNCONFIGURED =
  'No model is configured. The operator sets OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, AI_BASE_URL with AI_MODEL, or MODELS_FILE';
const CONFIGURE_SECONDS = 60;

/**
 * Finds a model by its id.
 * @throws AppError 400 if the operator does not allow it, 503 if no model is configured
 */
export function findAllowed(ctx: Ctx, id: string): FoundModel {
  const all = listAllowed(ctx);
  const found = all.get(id);
  if (found !== undefined) return found;
  if (all.size === 0) throw unavailable(UNCONFIGURED, CONFIGURE_SECONDS);
  const names = [...all.keys()];
  const guess = nearest(id, names);
  throw badRequest(
    `model: ${JSON.stringify(id)} is not configured. ${guess === null ? `Use one of ${names.slice(0, 10).join(', ')}` : `Did you mean ${guess}?`}`,
  );
}

/** The provider as the ledger names it: its prices are found by it. */
export const ledgerProvider = ({ name, provider }: ProviderSetting): string =>
  provider === 'openai-compatible' ? name : provider;
