import type { CallSelection } from '../../core/events/index.ts';
import type { RepricingRequest } from './contract.ts';

/** The calls that a request selects. */
export const selectionOf = ({ start, end, ...filters }: RepricingRequest): CallSelection => ({
  ...filters,
  from: Date.parse(start),
  to: Date.parse(end),
});
