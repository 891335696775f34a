import type { Mail } from '../../mail/index.ts';

type Addressed = { readonly to: string; readonly url: string };

const UNASKED = 'If you did not ask for this, ignore it: nothing happens.';
const SHORT_LIVED = 'The link works once, within 15 minutes.';

/** What each link is sent with. */
export const mails = {
  signUp: ({ to, url }: Addressed): Mail => ({
    to,
    subject: 'Finish your Spanledger account',
    paragraphs: ['Choose a password to finish your account:', SHORT_LIVED, UNASKED],
    action: { label: 'Choose a password', url },
  }),
  /** To somebody who signs up with the address of an account: the page must not tell them, the mail may. */
  signUpAgain: ({ to, url }: Addressed): Mail => ({
    to,
    subject: 'You have a Spanledger account already',
    paragraphs: [
      'Somebody, probably you, tried to make an account for this address. Sign in to it:',
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
    subject: 'Confirm your e-mail address',
    paragraphs: ['Confirm that this is your address:', SHORT_LIVED, UNASKED],
    action: { label: 'Confirm', url },
  }),
  magic: ({ to, url }: Addressed): Mail => ({
    to,
    subject: 'Sign in to Spanledger',
    paragraphs: ['Sign in without a password:', SHORT_LIVED, UNASKED],
    action: { label: 'Sign in', url },
  }),
  passwordChanged: (to: string): Mail => ({
    to,
    subject: 'Your Spanledger password was changed',
    paragraphs: [
      'The password of your account was changed just now, and its other sessions were ended.',
      'If that was not you, reset the password at once.',
    ],
  }),
} as const;
