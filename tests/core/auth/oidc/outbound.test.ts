import { expect, test } from 'bun:test';
import { loadConfig } from '../../../../src/config.ts';
import { checkIssuer, readIssuers } from '../../../../src/core/auth/index.ts';
import { openCanary } from '../../outbound/canary.ts';

test('endpoints that an issuer names on forbidden addresses get no connection', async () => {
  const canary = await openCanary();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const { origin } = new URL(url);
      const elsewhere = `http://127.0.0.1:${canary.port}`;
      return Response.json({
        issuer: `${origin}/`,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${elsewhere}/token`,
        jwks_uri: `${elsewhere}/keys`,
      });
    },
  });
  const issuer = `http://127.0.0.1:${server.port}`;
  const OIDC_ISSUERS = JSON.stringify([{ id: 'own', name: 'Own', issuer, clientId: 'c', clientSecret: 's' }]);
  const config = loadConfig({ env: { OIDC_ISSUERS } }).values;
  try {
    const reports = await Promise.all(readIssuers(config).map((one) => checkIssuer(config, one)));
    expect(reports[0]?.checks.at(-1)?.detail).toStartWith('a host has no public address');
    expect(canary.count()).toBe(0);
  } finally {
    canary.close();
    await server.stop(true);
  }
});
