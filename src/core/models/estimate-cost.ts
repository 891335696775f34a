import type { Ctx } from '../../context.ts';
import { DAY_MS } from '../../lib/time.ts';
import { eventsOf } from '../events/index.ts';
import { type Pricer, pricerOf } from '../pricing/index.ts';
import { ofProject, type ProjectScope } from '../tenancy/index.ts';
import { type ChatMessage, DEFAULT_OUTPUT_TOKENS, type ExpectedCost, type ModelConfig } from './contract.ts';

/** What is known of a call before it is made. Names as the ledger has them. */
export type PlannedCall = {
  readonly provider: string;
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly config: ModelConfig;
};

/** An estimate of the cost, and the bound that is reserved: null if the price is unknown. Nano-dollars. */
export type Estimate = { readonly expected: ExpectedCost; readonly maxNano: number | null };

const CHARACTERS_PER_TOKEN = 4;
/** Tokens that a provider adds to a message, at most. */
const PER_MESSAGE = 16;
/** Tokens that it adds to a request, at most. */
const PER_REQUEST = 500;
/** Tokens of an image: a usual one, and the most that any of the providers counts. */
const PER_IMAGE = { usual: 1_000, most: 60_000 };
const HISTORY_DAYS = 30;
/** Output of a call of which nothing is known. */
const ASSUMED_OUTPUT = 300;

/** Estimates what a call costs. The bound holds for any text: no token has less than a byte. Without history nothing is read. */
export async function estimateCost(
  ctx: Ctx,
  scope: ProjectScope,
  call: PlannedCall,
  options: { readonly withHistory?: boolean } = {},
): Promise<Estimate> {
  const pricer = await pricerOf(ctx, scope.organizationId);
  const { messages, config } = call;
  const { tools, responseFormat, maxOutputTokens: most = DEFAULT_OUTPUT_TOKENS } = config;
  const text = JSON.stringify([
    messages.map(({ content, toolCalls }) => [content, toolCalls]),
    tools,
    responseFormat,
  ]);
  const images = messages.reduce((sum, message) => sum + (message.images?.length ?? 0), 0);
  const inputTokens = Math.ceil(text.length / CHARACTERS_PER_TOKEN) + images * PER_IMAGE.usual;
  const bound =
    Buffer.byteLength(text) + messages.length * PER_MESSAGE + PER_REQUEST + images * PER_IMAGE.most;
  const mean = options.withHistory === false ? null : await meanOutput(ctx, scope, call);
  const outputTokens = Math.min(most, mean ?? ASSUMED_OUTPUT);
  const [nano, maxNano] = [
    priceOf(ctx, pricer, call, [inputTokens, outputTokens]),
    priceOf(ctx, pricer, call, [bound, most]),
  ];
  const basis = mean === null ? 'assumed' : 'history';
  const expected = {
    inputTokens,
    outputTokens,
    basis,
    costUsd: toUsd(nano),
    maxCostUsd: toUsd(maxNano),
  } as const;
  return { expected, maxNano };
}

export const toUsd = (nano: number | null): number | null => (nano === null ? null : nano / 1e9);

/** Nano-dollars; null if the price is unknown. */
export function priceOf(
  ctx: Pick<Ctx, 'now'>,
  pricer: Pricer,
  { provider, model }: Pick<PlannedCall, 'provider' | 'model'>,
  [fresh, output]: readonly [number, number],
): number | null {
  const buckets = { fresh, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output, reasoning: 0 };
  const priced = pricer.priceCall({ provider, model, ts: ctx.now(), buckets, answered: true });
  return priced.status === 'unpriced' ? null : priced.cost_nano;
}

/** Environment of all events of the server's own calls. */
export const OWN_ENVIRONMENT = 'spanledger';

/** Mean output tokens of the server's own calls of a model in the project; null without any. From roll-ups. */
async function meanOutput(ctx: Ctx, scope: ProjectScope, { model }: PlannedCall): Promise<number | null> {
  const now = ctx.now();
  const { calls } = await eventsOf(ctx).metrics(ofProject(scope), {
    calls: {
      measures: ['requests', 'outputTokens'],
      filters: { model, environment: OWN_ENVIRONMENT, status: 'success' },
      window: { from: now - HISTORY_DAYS * DAY_MS, to: now },
    },
  });
  const { requests = 0, outputTokens = 0 } = calls[0] ?? {};
  return requests === 0 ? null : Math.ceil(outputTokens / requests);
}
