import type { Ctx } from '../../context.ts';
import { type Sealing, unseal } from '../../db/seal.ts';
import { badRequest, conflict } from '../../errors.ts';
import type { Target } from '../../lib/simulations/definition.ts';

/** Secrets of a suite by their names, each with the only origin to which it is sent. */
export type Secrets = Readonly<Record<string, { readonly value: string; readonly origin: string }>>;

export const sealingOf = (id: string): Sealing => ({ purpose: 'simulation', context: id });

/** The secrets of a suite. Throws AppError 409 if the server's secret has changed since. */
export function secretsOf(
  ctx: Ctx,
  { id, secrets }: { readonly id: string; readonly secrets: string | null },
): Secrets {
  if (secrets === null) return {};
  const text = unseal(ctx.secret, sealingOf(id), secrets);
  if (text === null)
    throw conflict(
      'The secrets of the suite cannot be read since the secret of the server changed; set them again',
    );
  return JSON.parse(text) as Secrets;
}

const NAMED = /\$\{([A-Z][A-Z0-9_]{0,49})\}/g;

/** The headers of a request, with secrets. Throws AppError 400 for one that is missing or belongs to another origin. */
export function headersWith(
  { url, headers = {} }: Extract<Target, { readonly url: string }>,
  secrets: Secrets,
): Record<string, string> {
  const { origin } = new URL(url);
  const filled = (text: string): string =>
    text.replaceAll(NAMED, (_, name: string) => {
      const secret = secrets[name];
      if (secret === undefined)
        throw badRequest(
          `The header names the secret ${name}, which is not set; an admin sets it on the page of the suite`,
        );
      if (secret.origin !== origin)
        throw badRequest(
          `The secret ${name} is for ${secret.origin}, not for ${origin}; an admin has to set it for this address`,
        );
      return secret.value;
    });
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, filled(text)]));
}
