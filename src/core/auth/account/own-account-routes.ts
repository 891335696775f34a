import { Reply } from '../../../http/reply.ts';
import { actorOf } from '../../../module.ts';
import { route } from '../../tenancy/index.ts';
import { putPreferencesEndpoint } from '../preferences/contract.ts';
import { setPreferences } from '../preferences/set-preferences.ts';
import { endedSessionCookie } from '../sessions/cookie.ts';
import { originOf } from '../sign-in/signed-in.ts';
import { confirmEmailChange, requestEmailChange } from './change-email.ts';
import {
  getExportEndpoint,
  postChangeEmailConfirmEndpoint,
  postChangeEmailEndpoint,
  postDeleteAccountEndpoint,
} from './contract.ts';
import { deleteAccount } from './delete-account.ts';
import { exportAccount } from './export-account.ts';

const postChangeEmail = route(postChangeEmailEndpoint, (ctx, input, session) => {
  const { email, password } = input.body;
  return requestEmailChange(ctx, { session, source: originOf(input) }, { email, password });
});

const postChangeEmailConfirm = route(postChangeEmailConfirmEndpoint, async (ctx, input, session) => {
  await confirmEmailChange(ctx, { session, actor: actorOf(session, input) }, input.body.token);
  return null;
});

const postDeleteAccount = route(postDeleteAccountEndpoint, async (ctx, input, session) => {
  const signer = { session, source: originOf(input), actor: actorOf(session, input) };
  await deleteAccount(ctx, signer, input.body.password);
  return new Reply(204, null, { 'Set-Cookie': endedSessionCookie(ctx) });
});

const putPreferences = route(putPreferencesEndpoint, async (ctx, input, session) => {
  await setPreferences(ctx, actorOf(session, input), { userId: session.userId, ...input.body });
  return null;
});

const getExport = route(getExportEndpoint, (ctx, _input, session) => exportAccount(ctx, session));

export const ownAccountRoutes = [
  getExport,
  postChangeEmail,
  postChangeEmailConfirm,
  postDeleteAccount,
  putPreferences,
];
