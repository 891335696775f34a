import { Reply } from '../../../http/reply.ts';
import { formatInstant } from '../../../lib/time.ts';
import { actorOf } from '../../../module.ts';
import { route } from '../../tenancy/index.ts';
import { assertionOptions } from '../passkeys/accept-assertion.ts';
import { toRow } from '../passkeys/change-passkeys.ts';
import { passkeyProblem } from '../passkeys/relying-party.ts';
import { findPassword } from '../passwords/password.ts';
import { reauthenticate } from '../reauthenticate/reauthenticate.ts';
import { allowCookie, NO_STORE, originOf, signedIn } from '../sign-in/signed-in.ts';
import { readChallenge } from './challenge.ts';
import {
  getTwoFactorEndpoint,
  postRecoveryCodesEndpoint,
  postSecondStepEndpoint,
  postSecondStepOptionsEndpoint,
  postTotpConfirmEndpoint,
  postTotpEndpoint,
  postTotpRemoveEndpoint,
} from './contract.ts';
import { beginTotp, confirmTotp, removeTotp } from './enrol-totp.ts';
import { countRecoveryCodes, findTotp, listPasskeys, methodsOf } from './factors.ts';
import { replaceRecoveryCodes } from './replace-recovery-codes.ts';
import { completeSignIn } from './second-step.ts';

const getTwoFactor = route(getTwoFactorEndpoint, async (ctx, { request }, { userId }) => {
  const totp = await findTotp(ctx, userId);
  const lastUsedAt = totp?.lastUsedAt?.getTime();
  return {
    totp: totp && {
      createdAt: formatInstant(totp.createdAt.getTime()),
      lastUsedAt: lastUsedAt === undefined ? null : formatInstant(lastUsedAt),
    },
    passkeys: (await listPasskeys(ctx, userId)).map(toRow),
    recoveryCodesLeft: await countRecoveryCodes(ctx, userId),
    hasPassword: (await findPassword(ctx, userId)) !== null,
    passkeyProblem: passkeyProblem(ctx, request),
  };
});

const postTotp = route(
  postTotpEndpoint,
  (ctx, _input, session) => new Reply(200, beginTotp(ctx, session), NO_STORE),
);

const postTotpConfirm = route(postTotpConfirmEndpoint, async (ctx, input, session) => {
  // The first factor too: with its codes, whoever found a signed-in browser could prove to be its owner from then on.
  await reauthenticate(ctx, { session, source: originOf(input) }, input.body.password);
  const by = { session, actor: actorOf(session, input) };
  return new Reply(200, { recoveryCodes: await confirmTotp(ctx, by, input.body) }, NO_STORE);
});

const postTotpRemove = route(postTotpRemoveEndpoint, async (ctx, input, session) => {
  await reauthenticate(ctx, { session, source: originOf(input) }, input.body.password);
  await removeTotp(ctx, { session, actor: actorOf(session, input) });
  return null;
});

const postRecoveryCodes = route(postRecoveryCodesEndpoint, async (ctx, input, session) => {
  await reauthenticate(ctx, { session, source: originOf(input) }, input.body.password);
  const recoveryCodes = await replaceRecoveryCodes(ctx, { session, actor: actorOf(session, input) });
  return new Reply(201, { recoveryCodes }, NO_STORE);
});

const postSecondStep = route(postSecondStepEndpoint, async (ctx, input) => {
  allowCookie(ctx, input);
  const asked = { request: input.request, source: originOf(input) };
  return signedIn(ctx, await completeSignIn(ctx, input.body, asked), input.body);
});

const postSecondStepOptions = route(postSecondStepOptionsEndpoint, async (ctx, { request, body }) => {
  const { challenge } = body;
  const { userId } = await readChallenge(ctx, challenge);
  const [methods, allowed] = await Promise.all([methodsOf(ctx, userId), listPasskeys(ctx, userId)]);
  const usable = allowed.length > 0 && passkeyProblem(ctx, request) === null;
  return {
    methods,
    passkey: usable ? assertionOptions(ctx, request, { purpose: challenge, allowed }) : null,
  };
});

export const twoFactorRoutes = [
  getTwoFactor,
  postTotp,
  postTotpConfirm,
  postTotpRemove,
  postRecoveryCodes,
  postSecondStep,
  postSecondStepOptions,
];
