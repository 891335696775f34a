import type { Ctx } from '../../../context.ts';
import { type Sealing, seal, unseal } from '../../../db/seal.ts';
import { badRequest } from '../../../errors.ts';
import { HIDDEN_LINK, HIDDEN_SECRET, type RulesOf } from '../config/contract.ts';

/** Settings of a webhook as they are given: its link and signing secret in the open. */
export type WebhookConfig = RulesOf<'webhook'>['config'];
/**
 * The same as stored: link and secret as they are shown, and both encrypted in `sealed`. Evaluators, their versions and
 * the experiments that use them keep them so.
 */
type StoredConfig = WebhookConfig & { readonly sealed?: string };

const sealingOf = (projectId: string): Sealing => ({ purpose: 'evaluator', context: projectId });

const maskOf = (url: string): string => `${URL.parse(url)?.origin ?? ''}${HIDDEN_LINK}`;

/** Settings of any kind without what is encrypted. */
export function shownConfig(config: object): Record<string, unknown> {
  const { sealed: _, ...shown } = config as Record<string, unknown>;
  return shown;
}

/** Settings as they are stored. */
export function sealWebhook(ctx: Ctx, projectId: string, config: WebhookConfig): StoredConfig {
  const { url, secret } = config;
  const sealed = seal(ctx.secret, sealingOf(projectId), JSON.stringify({ url, secret }));
  return { ...config, url: maskOf(url), secret: HIDDEN_SECRET, sealed };
}

/** Settings with link and secret in the open; null after a change of the server's secret. */
export function openWebhook(ctx: Ctx, projectId: string, config: WebhookConfig): WebhookConfig | null {
  const { sealed, ...given }: StoredConfig = config;
  if (sealed === undefined) return given;
  const text = unseal(ctx.secret, sealingOf(projectId), sealed);
  return text === null ? null : { ...given, ...(JSON.parse(text) as Pick<WebhookConfig, 'url' | 'secret'>) };
}

/**
 * Settings whose link and secret, where they are given as they are shown, are those of before.
 * @param former the open settings before a change; null without any
 * @throws AppError 400 for a shown link or secret that is not the former one
 */
export function fillWebhook(given: WebhookConfig, former: WebhookConfig | null): WebhookConfig {
  let { url, secret } = given;
  if (url.endsWith(HIDDEN_LINK)) {
    if (former === null || maskOf(former.url) !== url)
      throw badRequest(`config.url: write the whole link; what is shown of it ends with ${HIDDEN_LINK}`);
    url = former.url;
  }
  if (secret === HIDDEN_SECRET) {
    if (former === null) throw badRequest('config.secret: write the whole secret; it is never shown');
    secret = former.secret;
  }
  return { ...given, url, secret };
}
