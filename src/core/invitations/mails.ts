import { type Mail, quoteName } from '../mail/index.ts';

type Invited = { readonly to: string; readonly url: string; readonly organizationName: string };

/** The mails about invitations. */
export const invitationMails = {
  invite: (of: Invited & { readonly by: string; readonly role: string }): Mail => ({
    to: of.to,
    subject: `Join ${quoteName(of.organizationName)} on Spanledger`,
    paragraphs: [
      `${of.by} invites you to ${quoteName(of.organizationName)} as ${of.role}.`,
      'The link works once, within 7 days.',
      'If you do not know them, ignore this mail; nothing will change.',
    ],
    action: { label: 'View invitation', url: of.url },
  }),
  /** For whoever entered the address on the page of an invitation link. Says nothing about accounts. */
  confirm: ({ to, url, organizationName }: Invited): Mail => ({
    to,
    subject: `Join ${quoteName(organizationName)} on Spanledger`,
    paragraphs: [
      `Somebody, probably you, wants to join ${quoteName(organizationName)} with this address:`,
      'The link works once, within 15 minutes.',
      'If you did not request this, ignore this mail; nothing will change.',
    ],
    action: { label: 'Join', url },
  }),
} as const;
