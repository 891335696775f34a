import { createHash } from 'node:crypto';
import { JsonText, Reply } from '../../http/reply.ts';
import { defineRoute, type KeyScope } from '../../http/route.ts';
import { DEFAULT_REDACT_KEYS } from '../../lib/redact.ts';
import { type SdkConfig, sdkConfig } from './contract.ts';

const FLUSH_INTERVAL_MS = 5_000;
/** Events per ingest batch (interface.md, Limits). */
const MAX_BATCH_SIZE = 100;

export const getSdkConfig = defineRoute({
  method: 'GET',
  path: '/v1/sdk/config',
  auth: 'key',
  summary: 'The settings that a client of this project works with',
  reply: sdkConfig,
  handler: (_ctx, { request }, key) => {
    const body = JSON.stringify(configOf(key));
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
    const headers = { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'x-api-key' };
    if (namesTag(request.headers.get('if-none-match'), etag)) return new Reply(304, null, headers);
    return new Reply(200, new JsonText(body), headers);
  },
});

function configOf(key: KeyScope): SdkConfig {
  return {
    version: key.configVersion,
    sampleRate: key.sampleRate,
    redactKeys: [...new Set([...DEFAULT_REDACT_KEYS, ...key.redactKeys])],
    storePrompts: key.storePrompts,
    flushIntervalMs: FLUSH_INTERVAL_MS,
    maxBatchSize: MAX_BATCH_SIZE,
  };
}

/** RFC 9110, 13.1.2: a list of tags or `*`, compared weakly. */
function namesTag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
