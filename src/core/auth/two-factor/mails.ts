import type { Mail } from '../../mail/index.ts';

const NOT_YOU =
  'If this was not you, change your password, end your other login sessions and ask the operator of the server for help.';

const notice = (to: string, subject: string, ...paragraphs: string[]): Mail => ({
  to,
  subject,
  paragraphs: [...paragraphs, NOT_YOU],
});

/** The mails about changes of a person's factors. */
export const factorMails = {
  totpAdded: (to: string): Mail =>
    notice(
      to,
      'An authenticator app was added to your Spanledger account',
      'From now on, signing in needs a code of this app, or another factor of yours.',
    ),
  totpRemoved: (to: string): Mail =>
    notice(
      to,
      'The authenticator app was removed from your Spanledger account',
      'Its codes are not accepted any more.',
    ),
  passkeyAdded: (to: string, name: string): Mail =>
    notice(
      to,
      'A passkey was added to your Spanledger account',
      `The passkey “${name}” can now sign in to your account.`,
    ),
  passkeyRenamed: (to: string, name: string): Mail =>
    notice(to, 'A passkey of your Spanledger account was renamed', `It is now called “${name}”.`),
  passkeyRemoved: (to: string, name: string): Mail =>
    notice(
      to,
      'A passkey was removed from your Spanledger account',
      `The passkey “${name}” cannot sign in any more.`,
    ),
  codesReplaced: (to: string): Mail =>
    notice(
      to,
      'Your Spanledger recovery codes were replaced',
      'You have ten new recovery codes. Earlier ones are not accepted any more.',
    ),
  codeUsed: (to: string, left: number): Mail =>
    notice(
      to,
      'A recovery code signed in to your Spanledger account',
      `You have ${left} recovery ${left === 1 ? 'code' : 'codes'} left. You can replace them under Account security.`,
    ),
  guessed: (to: string): Mail =>
    notice(
      to,
      'Somebody tries to sign in to your Spanledger account',
      'Somebody passed the first step of the sign-in, such as the password, and then sent five wrong codes of the authenticator app. Further codes now have to wait.',
    ),
  reset: (to: string): Mail =>
    notice(
      to,
      'The second factors of your Spanledger account were reset',
      'The operator of the server removed your authenticator app, passkeys and recovery codes, and ended your login sessions. Sign in with your password and add a second factor again.',
    ),
} as const;
