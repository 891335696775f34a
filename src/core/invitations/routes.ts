import { Reply } from '../../http/reply.ts';
import { actorOf } from '../../module.ts';
import { allowCookie, authOf, NO_STORE, originOf, signedIn } from '../auth/index.ts';
import { route } from '../tenancy/index.ts';
import { acceptInvitation, previewInvitation } from './accept.ts';
import {
  deleteInvitationEndpoint,
  getInvitationsEndpoint,
  postAcceptEndpoint,
  postInvitationEndpoint,
  postPreviewEndpoint,
  postSignUpEndpoint,
} from './contract.ts';
import { invite, revokeInvitation } from './invite.ts';
import { listInvitations } from './queries.ts';
import { signUpInvited } from './sign-up-invited.ts';

const getInvitations = route(getInvitationsEndpoint, async (ctx, _input, { organizationId }) => ({
  invitations: await listInvitations(ctx, organizationId),
}));

const postInvitation = route(postInvitationEndpoint, (ctx, input, caller) => {
  const { email = null, role } = input.body;
  return invite(ctx, actorOf(caller, input), { organizationId: caller.organizationId, email, role });
});

const deleteInvitation = route(deleteInvitationEndpoint, async (ctx, input, caller) => {
  const which = { organizationId: caller.organizationId, id: input.params.invitationId };
  await revokeInvitation(ctx, actorOf(caller, input), which);
  return null;
});

const postPreview = route(postPreviewEndpoint, (ctx, { body }) => previewInvitation(ctx, body.token));

const postAccept = route(postAcceptEndpoint, (ctx, input, session) =>
  acceptInvitation(ctx, { session, actor: actorOf(session, input) }, input.body.token),
);

const postSignUp = route(postSignUpEndpoint, async (ctx, input) => {
  allowCookie(ctx, input);
  const made = await signUpInvited(ctx, input.body, originOf(input));
  if ('message' in made) return new Reply(202, made, NO_STORE);
  const bearer = await (await authOf(ctx).signIn()).session(
    { userId: made.userId, provider: null },
    originOf(input),
  );
  return signedIn(ctx, bearer, { cookie: input.body.cookie, status: 201 });
});

export const invitationRoutes = [
  getInvitations,
  postInvitation,
  deleteInvitation,
  postPreview,
  postAccept,
  postSignUp,
];
