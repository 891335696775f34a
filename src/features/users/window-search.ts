import type { WindowSearch } from '../../dashboard/shell/scope/search.ts';
import type { UserReply } from './contract.ts';

/** The whole days that were counted, as an address says them: links lead to the events behind the figures. */
export const windowSearch = ({ start, end }: UserReply['window']): WindowSearch => ({
  start,
  end,
  range: undefined,
});
