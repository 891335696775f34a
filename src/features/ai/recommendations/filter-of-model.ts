import { termOf } from '../../../lib/filter-terms.ts';

/** The calls of a model of a provider, in the filter language. */
export const filterOfModel = ({
  provider,
  model,
}: {
  readonly provider: string | null;
  readonly model: string | null;
}): string =>
  [
    model === null ? '-model:*' : termOf('model', model),
    provider === null ? '-provider:*' : termOf('provider', provider),
  ].join(' ');
