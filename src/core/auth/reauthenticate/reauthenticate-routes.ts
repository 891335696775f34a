import { Reply } from '../../../http/reply.ts';
import { actorOf } from '../../../module.ts';
import { type LoginSession, route } from '../../tenancy/index.ts';
import { NO_STORE, originOf } from '../sign-in/signed-in.ts';
import { postReauthenticateEndpoint, postReauthenticateOptionsEndpoint } from './contract.ts';
import { proofOptions, proveAgain } from './prove-again.ts';

type Input = { readonly request: Request; readonly address: string | null };

const askedBy = (session: LoginSession, input: Input) => ({
  session,
  source: originOf(input),
  actor: actorOf(session, input),
  request: input.request,
});

const postReauthenticate = route(postReauthenticateEndpoint, async (ctx, input, session) => {
  await proveAgain(ctx, askedBy(session, input), input.body);
  return null;
});

const postOptions = route(postReauthenticateOptionsEndpoint, async (ctx, input, session) => {
  return new Reply(200, await proofOptions(ctx, askedBy(session, input)), NO_STORE);
});

export const reauthenticateRoutes = [postReauthenticate, postOptions];
