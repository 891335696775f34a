import type { Ctx } from '../../../context.ts';
import { outboundOf } from '../../../core/outbound/index.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { Days } from './figures.ts';
import { createGetJson } from './get-json.ts';
import { fetchedUntil, hasFigures } from './queries.ts';
import type { ConnectorSetting } from './settings.ts';
import { SOURCES } from './sources.ts';
import { storeFigures } from './store-figures.ts';

/** Past days that are fetched again each night, because providers change them. */
const AGAIN_DAYS = 35;
const TIMEOUT_MS = 30_000;
const MAX_BYTES = 4_000_000;
/** Time for all pages of a connector, pauses included. */
const PATIENCE_MS = 20 * 60_000;

/**
 * Fetches the figures of a connector and stores them: at first of all days that the provider reports, then of the last
 * 35, or of all since the last success if that is longer ago. All days are complete ones.
 * @throws ConnectorError; OutboundError; the signal's reason
 */
export async function fetchConnector(
  ctx: Ctx,
  setting: ConnectorSetting,
  { organizationId, signal }: { readonly organizationId: string; readonly signal: AbortSignal },
): Promise<{ readonly days: Days; readonly figures: number; readonly restated: number }> {
  const source = SOURCES[setting.provider];
  const of = { organizationId, connector: setting.id };
  const to = Math.floor(ctx.now() / DAY_MS);
  const until = await fetchedUntil(ctx, organizationId, setting.id);
  const isFirst = until === null || !(await hasFigures(ctx, organizationId, setting.id));
  const back = isFirst ? source.most : Math.max(AGAIN_DAYS, to - until);
  const days = { from: to - Math.min(back, source.most), to };
  const origin = setting.url ?? source.origin;
  const outbound = outboundOf(ctx);
  const get = createGetJson({
    send: (url, init) =>
      outbound.fetch(url, {
        ...init,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        trustedOrigin: setting.url ?? undefined,
      }),
    ...{ origin, headers: source.headers(setting.key), keyKind: source.keyKind, wait: pause },
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  });
  const figures = await source.read(get, days, new Set(setting.accounts));
  return { days, ...(await storeFigures(ctx, of, { days, figures })) };
}

/** Ends early, without an error, when the signal aborts: the next attempt throws its reason. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const end = (): void => resolve();
  signal.addEventListener('abort', end, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  });
}
