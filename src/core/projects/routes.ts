import { createHash } from 'node:crypto';
import { namesTag } from '../../http/entity-tag.ts';
import { Reply } from '../../http/reply.ts';
import { JsonText } from '../../lib/json-text.ts';
import { DEFAULT_REDACT_KEYS } from '../../lib/sensitive-keys.ts';
import { actorOf } from '../../module.ts';
import { route } from '../tenancy/index.ts';
import {
  type ClientConfig,
  changeSdkConfigEndpoint,
  projectSdkConfigEndpoint,
  sdkConfigEndpoint,
} from './contract.ts';
import { readIngestSettings } from './queries.ts';
import { toSdkConfig, updateSdkConfig } from './update-sdk-config.ts';

export const sdkConfigRoutes = [
  route(sdkConfigEndpoint, (ctx, { request }, key) => {
    const body = JSON.stringify({
      ...toSdkConfig(key),
      redactKeys: [...new Set([...DEFAULT_REDACT_KEYS, ...key.redactKeys])],
      projectId: key.projectId,
      publicUrl: ctx.config.PUBLIC_URL ?? null,
    } satisfies ClientConfig);
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
    const headers = { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'x-api-key' };
    if (namesTag(request.headers.get('if-none-match'), etag))
      return new Response(null, { status: 304, headers });
    return new Reply(200, new JsonText<ClientConfig>(body), headers);
  }),

  route(projectSdkConfigEndpoint, async (ctx, _input, { scope }) =>
    toSdkConfig(await readIngestSettings(ctx, scope)),
  ),

  route(changeSdkConfigEndpoint, async (ctx, input, caller) => {
    await updateSdkConfig(ctx, actorOf(caller, input), { scope: caller.scope, change: input.body });
    return toSdkConfig(await readIngestSettings(ctx, caller.scope));
  }),
];
