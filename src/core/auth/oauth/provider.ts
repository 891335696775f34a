import type { Ctx } from '../../../context.ts';
import { publicUrl } from '../../mail/index.ts';
import type { OAuthState } from './oauth-state.ts';

/** A person's identity at a provider. */
export type Identity = {
  /** Id of the provider in this server's settings. */
  readonly provider: string;
  /** The provider's name for people. */
  readonly providerName: string;
  /** In which `accountId` is unique: the issuer's URL, so that a reused provider id does not confuse two issuers. */
  readonly namespace: string;
  /** The provider's id of the person. Unlike an address, it never passes to another person. */
  readonly accountId: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  /** Set if the provider may not vouch for the address: the domains for which it may. */
  readonly onlyDomains?: readonly string[];
  readonly name: string | null;
  /** The signed ID token, which names the session at the issuer when it is to end. */
  readonly idToken?: string;
};

export type SignInProvider = {
  readonly id: string;
  readonly name: string;
  /** Address to send the browser to. Rejects with AppError 403 or 503. */
  authorize(state: OAuthState): Promise<string>;
  /**
   * Redeems the reply with which the browser came back. Rejects with AppError 403 if it is not accepted, 503 if the
   * provider does not answer.
   * @param search the query of the reply, with `?`
   */
  identify(search: string, state: OAuthState): Promise<Identity>;
};

/** Where a provider sends the browser back to. */
export const callbackUrl = (ctx: Ctx, id: string): string => `${publicUrl(ctx)}/v1/auth/callback/${id}`;
