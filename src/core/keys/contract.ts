/** A project key as lists show it, never the key itself. Times are ISO 8601 UTC. */
export type KeyRow = {
  readonly id: string;
  readonly name: string;
  readonly projectId: string;
  readonly projectName: string;
  /** The public start of the key, for recognising it. */
  readonly prefix: string;
  /** `grace`: rotated, but still valid until `validUntil`. */
  readonly state: 'active' | 'grace' | 'expired' | 'revoked';
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly validUntil: string | null;
  readonly revokedAt: string | null;
};
