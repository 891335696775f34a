/** A database on a libSQL server, for the official client. */
export type RemotePlace = {
  /** `libsql://HOST`, `https://HOST` or `http://HOST:PORT`, without a token. */
  readonly url: string;
  readonly token: string | null;
  /** Under this name the process holds the lease (see lease.ts); null for one that only reads. */
  readonly holder: string | null;
};

/** Where the control plane is: the path of a file, or a libSQL server. */
export type Place = string | RemotePlace;

/** How a place is called in messages. */
export const labelOf = (place: Place): string => (typeof place === 'string' ? place : place.url);

/** Whether a setting names a server. Files start with `file:`. */
export const isRemoteUrl = (url: string): boolean => !url.startsWith('file:');
