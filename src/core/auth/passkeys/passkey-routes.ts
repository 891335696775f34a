import { Reply } from '../../../http/reply.ts';
import { actorOf } from '../../../module.ts';
import { route } from '../../tenancy/index.ts';
import { requireSignInWith } from '../domains/require-sign-in.ts';
import { findPerson } from '../queries.ts';
import { reauthenticate } from '../reauthenticate/reauthenticate.ts';
import { authOf } from '../service.ts';
import { allowCookie, NO_STORE, originOf, signedIn } from '../sign-in/signed-in.ts';
import { acceptAssertion, assertionOptions, SIGN_IN } from './accept-assertion.ts';
import { addPasskey, passkeyOptions, removePasskey, renamePasskey } from './change-passkeys.ts';
import {
  postPasskeyEndpoint,
  postPasskeyOptionsEndpoint,
  postPasskeyRemoveEndpoint,
  postPasskeySignInEndpoint,
  postPasskeySignInOptionsEndpoint,
  putPasskeyEndpoint,
} from './contract.ts';

const postOptions = route(postPasskeyOptionsEndpoint, async (ctx, input, session) => {
  await reauthenticate(ctx, { session, source: originOf(input) }, input.body.password);
  return { options: await passkeyOptions(ctx, input.request, session) };
});

const postPasskey = route(postPasskeyEndpoint, async (ctx, input, session) => {
  const by = { session, actor: actorOf(session, input), request: input.request };
  return new Reply(201, await addPasskey(ctx, by, input.body), NO_STORE);
});

const putPasskey = route(putPasskeyEndpoint, async (ctx, input, session) => {
  const renamed = { id: input.params.passkeyId, name: input.body.name };
  await renamePasskey(ctx, { session, actor: actorOf(session, input) }, renamed);
  return null;
});

const postRemove = route(postPasskeyRemoveEndpoint, async (ctx, input, session) => {
  await reauthenticate(ctx, { session, source: originOf(input) }, input.body.password);
  await removePasskey(ctx, { session, actor: actorOf(session, input) }, input.params.passkeyId);
  return null;
});

const postSignInOptions = route(postPasskeySignInOptionsEndpoint, (ctx, { request }) => ({
  options: assertionOptions(ctx, request, { purpose: SIGN_IN, allowed: [] }),
}));

const postSignIn = route(postPasskeySignInEndpoint, async (ctx, input) => {
  allowCookie(ctx, input);
  const source = originOf(input);
  const asked = { request: input.request, source };
  const userId = await acceptAssertion(ctx, asked, { assertion: input.body.response, purpose: SIGN_IN });
  await requireSignInWith(ctx, (await findPerson(ctx, userId)).email, null);
  return signedIn(
    ctx,
    await (await authOf(ctx).signIn()).provenSession({ userId, provider: null }, source),
    input.body,
  );
});

export const passkeyRoutes = [
  postOptions,
  postPasskey,
  putPasskey,
  postRemove,
  postSignInOptions,
  postSignIn,
];
