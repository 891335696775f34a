import { z } from 'zod';
import { actorOf } from '../../module.ts';
import { loginReply } from '../auth/contract.ts';
import { allowCookie, authOf, originOf, signedIn } from '../auth/index.ts';
import { defineRoute } from '../tenancy/index.ts';
import { acceptInvitation, previewInvitation, signUpInvited } from './accept.ts';
import {
  acceptedReply,
  createdInvitation,
  invitationBody,
  invitationPreview,
  invitationsReply,
  invitationToken,
  invitedSignUpBody,
} from './contract.ts';
import { invite, revokeInvitation } from './invite.ts';
import { listInvitations } from './queries.ts';

const getInvitations = defineRoute({
  method: 'GET',
  path: '/v1/organizations/:id/invitations',
  auth: 'organization',
  role: 'admin',
  summary: 'The invitations of an organization, never their links',
  reply: invitationsReply,
  handler: async (ctx, _input, { organizationId }) => ({
    invitations: await listInvitations(ctx, organizationId),
  }),
});

const postInvitation = defineRoute({
  method: 'POST',
  path: '/v1/organizations/:id/invitations',
  auth: 'organization',
  role: 'admin',
  summary: 'Invite somebody by mail, or by a link that the reply shows once',
  body: invitationBody,
  reply: createdInvitation,
  status: 201,
  handler: (ctx, input, caller) => {
    const { email = null, role } = input.body;
    return invite(ctx, actorOf(caller, input), { organizationId: caller.organizationId, email, role });
  },
});

const deleteInvitation = defineRoute({
  method: 'DELETE',
  path: '/v1/organizations/:id/invitations/:invitationId',
  auth: 'organization',
  role: 'admin',
  summary: 'Revoke an open invitation',
  params: z.object({ id: z.string(), invitationId: z.string() }),
  status: 204,
  handler: async (ctx, input, caller) => {
    const which = { organizationId: caller.organizationId, id: input.params.invitationId };
    await revokeInvitation(ctx, actorOf(caller, input), which);
    return null;
  },
});

const postPreview = defineRoute({
  method: 'POST',
  path: '/v1/invitations/preview',
  auth: 'none',
  summary: 'What the link of an invitation leads to',
  body: invitationToken,
  reply: invitationPreview,
  handler: (ctx, { body }) => previewInvitation(ctx, body.token),
});

const postAccept = defineRoute({
  method: 'POST',
  path: '/v1/invitations/accept',
  auth: 'session',
  summary: 'Accept an invitation as the person who is signed in',
  body: invitationToken,
  reply: acceptedReply,
  handler: (ctx, input, session) =>
    acceptInvitation(ctx, { session, actor: actorOf(session, input) }, input.body.token),
});

const postSignUp = defineRoute({
  method: 'POST',
  path: '/v1/invitations/sign-up',
  auth: 'none',
  summary: 'Accept an invitation with a new account',
  body: invitedSignUpBody,
  reply: loginReply,
  status: 201,
  handler: async (ctx, input) => {
    allowCookie(ctx, input);
    const userId = await signUpInvited(ctx, input.body, originOf(input));
    const bearer = await (await authOf(ctx).signIn()).session(userId, originOf(input));
    return signedIn(ctx, bearer, { cookie: input.body.cookie, status: 201 });
  },
});

export const invitationRoutes = [
  getInvitations,
  postInvitation,
  deleteInvitation,
  postPreview,
  postAccept,
  postSignUp,
];
