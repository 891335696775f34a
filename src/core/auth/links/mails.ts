import type { Mail } from '../../mail/index.ts';

type Addressed = { readonly to: string; readonly url: string };

const UNASKED = 'If you did not request this, ignore this mail; nothing will change.';
const SHORT_LIVED = 'The link works once, within 15 minutes.';

/** The mails for each kind of link. */
export const mails = {
  signUp: ({ to, url }: Addressed): Mail => ({
    to,
    subject: 'Finish your Spanledger account',
    paragraphs: ['Choose a password to finish your account:', SHORT_LIVED, UNASKED],
    action: { label: 'Choose a password', url },
  }),
  /** For a sign-up with the address of an existing account. The page must not reveal that; the mail may. */
  signUpAgain: ({ to, url }: Addressed): Mail => ({
    to,
    subject: 'You already have a Spanledger account',
    paragraphs: [
      'Somebody, probably you, tried to use this address for another account. It has one already; sign in here:',
      UNASKED,
    ],
    action: { label: 'Sign in', url },
  }),
  reset: ({ to, url }: Addressed): Mail => ({
    to,
    subject: 'Reset your Spanledger password',
    paragraphs: ['Choose a new password:', SHORT_LIVED, UNASKED],
    action: { label: 'Choose a new password', url },
  }),
  verify: ({ to, url }: Addressed): Mail => ({
    to,
    subject: 'Confirm your email address',
    paragraphs: ['Confirm that this is your address:', SHORT_LIVED, UNASKED],
    action: { label: 'Confirm', url },
  }),
  magic: ({ to, url }: Addressed): Mail => ({
    to,
    subject: 'Sign in to Spanledger',
    paragraphs: ['Sign in without a password:', SHORT_LIVED, UNASKED],
    action: { label: 'Sign in', url },
  }),
  changeEmail: ({ to, url }: Addressed): Mail => ({
    to,
    subject: 'Confirm your new email address',
    paragraphs: [
      'Use this address for your Spanledger account from now on. Open the link where you are signed in:',
      SHORT_LIVED,
      UNASKED,
    ],
    action: { label: 'Use this address', url },
  }),
  /** To the old address. */
  emailChanged: ({ to, email }: { readonly to: string; readonly email: string }): Mail => ({
    to,
    subject: 'The address of your Spanledger account was changed',
    paragraphs: [
      `Your account now has the address ${email}. Sign in with that one.`,
      'If this was not you, ask the operator of the server or an admin of your organization for help immediately.',
    ],
  }),
  accountDeleted: (to: string): Mail => ({
    to,
    subject: 'Your Spanledger account was deleted',
    paragraphs: [
      'Your account was deleted, with its memberships and access tokens.',
      'If this was not you, ask the operator of the server for help.',
    ],
  }),
  passwordChanged: (to: string): Mail => ({
    to,
    subject: 'Your Spanledger password was changed',
    paragraphs: [
      'The password of your account was just changed, and all other login sessions were ended.',
      'If this was not you, reset the password immediately.',
    ],
  }),
} as const;
