import { defineCommand } from '../command.ts';
import type { Tone } from '../format.ts';
import { EXIT, UserError } from '../user-error.ts';

const TONES = { ok: 'good', warning: 'warn', failed: 'bad' } as const satisfies Record<string, Tone>;

export const authCheckIssuer = defineCommand({
  name: 'auth check-issuer',
  summary: 'Check the configured OpenID Connect issuers: discovery, keys, clock and what is missing',
  args: { id: { summary: 'Id of an issuer in OIDC_ISSUERS; all without one', optional: true } },
  examples: ['spanledger auth check-issuer', 'spanledger auth check-issuer keycloak --json'],
  run: async (ctx) => {
    const { values } = ctx.config();
    const { checkIssuer, readIssuers } = await import('../../src/core/auth/index.ts');
    const { id } = ctx.args;
    const all = readIssuers(values);
    const chosen = id === undefined ? all : all.filter((issuer) => issuer.id === id);
    if (chosen.length === 0) throw notConfigured(id, all);
    const issuers = await Promise.all(chosen.map((issuer) => checkIssuer(values, issuer)));
    const ok = issuers.every(({ checks }) => checks.every(({ state }) => state !== 'failed'));
    ctx.output.result({ ok, issuers }, () => {
      for (const { name, issuer, redirectUri, postLogoutRedirectUri, checks } of issuers) {
        ctx.output.heading(`${name}  ${issuer}`);
        // No table: it would cut off what to do.
        for (const { state, name: check, detail } of checks)
          ctx.output.line({ text: state.padEnd(8), tone: TONES[state] }, `${check.padEnd(22)} ${detail}`);
        ctx.output.info(`Register at the issuer: redirect ${redirectUri}`);
        ctx.output.info(`and after sign-out ${postLogoutRedirectUri}`);
      }
    });
    return ok ? EXIT.ok : EXIT.failure;
  },
});

function notConfigured(id: string | undefined, all: readonly { id: string }[]): UserError {
  const known = all.map((issuer) => issuer.id).join(', ');
  return new UserError({
    what: id === undefined || all.length === 0 ? 'No issuer is configured' : `There is no issuer ${id}`,
    fix: all.length === 0 ? 'Set OIDC_ISSUERS or OIDC_ISSUERS_FILE' : `Choose one of ${known}`,
    code: 'not_found',
    exit: EXIT.notFound,
  });
}
