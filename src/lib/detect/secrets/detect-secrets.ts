import { type Detector, type Match, matchAt, matchesOf } from '../match.ts';
import { findInViews } from '../text/find-in-views.ts';
import type { Views } from '../text/views.ts';
import { generalSecrets } from './general.ts';
import { PROVIDER_SECRETS, type SecretForm } from './providers.ts';

/** Text that stands for a key in documentation: `sk-xxxxxxxx…`, `AKIAEXAMPLE…`, `hf_000000…`. */
const EXAMPLE = /(.)\1{9}|x{6}|example|your[_-]|placeholder|redacted/i;

const toDetector = ({ type, hint, form }: SecretForm): Detector => {
  const hints = [hint].flat();
  return {
    type,
    scan: (text) =>
      hints.some((one) => text.includes(one))
        ? matchesOf(text, form, (found) => (EXAMPLE.test(found[0]) ? null : matchAt(found, type, 0.98)))
        : [],
  };
};

const detectors: readonly Detector[] = [...PROVIDER_SECRETS.map(toDetector), ...generalSecrets];

/** The types of credentials that are found. */
export const SECRET_TYPES: readonly string[] = [...new Set(detectors.map(({ type }) => type))];

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
  const wanted = detectors.filter(({ type }) => types === undefined || types.includes(type));
  return (views) => findInViews(views, wanted, minConfidence, isSplittable);
}
