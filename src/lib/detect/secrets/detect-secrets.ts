import type { Match } from '../match.ts';
import { findInViews } from '../text/find-in-views.ts';
import type { Views } from '../text/views.ts';
import { providerKeys } from './find-provider-keys.ts';
import { generalSecrets } from './general.ts';
import { PROVIDER_SECRETS } from './providers.ts';

/** The types of credentials that are found. */
export const SECRET_TYPES: readonly string[] = [
  ...new Set([...PROVIDER_SECRETS, ...generalSecrets].map(({ type }) => type)),
];

export type SecretOptions = {
  /** Only these of `SECRET_TYPES`. Default: all. */
  readonly types?: readonly string[] | undefined;
  /** Least confidence of a match. Default: 0.5. */
  readonly minConfidence?: number | undefined;
};

/** A key has a form of its own, so it is recognised over a line break too; a value that is only assigned is not. */
const isSplittable = (type: string): boolean => type !== 'assigned_secret' && type !== 'url_password';

/** Creates the detectors of a check once, for all texts. */
export function createSecretDetector({
  types,
  minConfidence = 0.5,
}: SecretOptions = {}): (views: Views) => Match[] {
  const isWanted = ({ type }: { readonly type: string }): boolean =>
    types === undefined || types.includes(type);
  const wanted = [providerKeys(PROVIDER_SECRETS.filter(isWanted)), ...generalSecrets.filter(isWanted)];
  return (views) => findInViews(views, wanted, minConfidence, isSplittable);
}
