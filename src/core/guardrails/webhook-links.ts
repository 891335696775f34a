import type { Ctx } from '../../context.ts';
import { type Sealing, seal, unseal } from '../../db/seal.ts';
import { badRequest } from '../../errors.ts';
import type { Check, CheckOf } from '../../lib/guardrails/definition.ts';

/** The link of a webhook is a secret, since it often has a token: it is stored encrypted, and never shown again. */
type StoredLink = { readonly url: string; readonly sealedUrl?: string; readonly timeoutMs?: number };

const sealingOf = (guardrailId: string): Sealing => ({ purpose: 'guardrail', context: guardrailId });
const isWebhook = (check: Check): check is CheckOf<'webhook'> => check.kind === 'webhook';

/** What is shown of a link: its server. */
const HIDDEN = '/…';
const maskOf = (url: string): string =>
  url.endsWith(HIDDEN) ? url : `${URL.parse(url)?.origin ?? ''}${HIDDEN}`;

const withConfig = (check: CheckOf<'webhook'>, config: StoredLink): Check => ({ ...check, config });

/** Checks as they are shown: links of webhooks without what comes after their server. */
export const shownChecks = (checks: readonly Check[]): Check[] =>
  checks.map((check) => {
    if (!isWebhook(check)) return check;
    const { sealedUrl: _, ...config } = check.config as StoredLink;
    return withConfig(check, { ...config, url: maskOf(config.url) });
  });

/** Checks as they run. After a change of the server's secret, a link cannot be read, and its check fails. */
export const openChecks = (ctx: Ctx, guardrailId: string, checks: readonly Check[]): Check[] =>
  checks.map((check) => {
    if (!isWebhook(check)) return check;
    const { sealedUrl, ...config } = check.config as StoredLink;
    if (sealedUrl === undefined) return check;
    return withConfig(check, {
      ...config,
      url: unseal(ctx.secret, sealingOf(guardrailId), sealedUrl) ?? config.url,
    });
  });

/**
 * Checks as they are stored. A link as it is shown stays what it was.
 * @param former the checks before a change, as they run
 * @throws AppError 400 for a shown link that no former check has
 */
export const sealChecks = (
  ctx: Ctx,
  guardrailId: string,
  checks: readonly Check[],
  former: readonly Check[] = [],
): Check[] =>
  withLinks(checks, former).map((check) => {
    if (!isWebhook(check)) return check;
    const { url, ...config } = check.config;
    const sealedUrl = seal(ctx.secret, sealingOf(guardrailId), url);
    return withConfig(check, { ...config, url: maskOf(url), sealedUrl } as StoredLink);
  });

/** Checks with whole links, where some are given as they are shown. @throws AppError 400 */
export function withLinks(checks: readonly Check[], former: readonly Check[] = []): Check[] {
  const links = former.map((check) => (isWebhook(check) ? check.config.url : null));
  return checks.map((check, i) => {
    if (!isWebhook(check) || !check.config.url.endsWith(HIDDEN)) return check;
    const { url } = check.config;
    const fits = (link: string | null | undefined): link is string => link != null && maskOf(link) === url;
    const own = links[i];
    const known = fits(own) ? own : links.find(fits);
    if (known === undefined || known === url)
      throw badRequest(
        `checks.${i}.config.url: write the whole link; what is shown of it ends with ${HIDDEN}`,
      );
    return { ...check, config: { ...check.config, url: known } };
  });
}
