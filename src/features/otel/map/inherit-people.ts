import type { ParsedEvent } from '../../../core/events/index.ts';
import type { Links } from './link-spans.ts';

/**
 * Gives spans without a user or session those of the nearest span above them: some frameworks (Strands) name them on the
 * agent's span only. Never upwards, because an agent may serve several users.
 */
export function inheritPeople(events: ParsedEvent[], { parents, order }: Links): void {
  for (const place of order) {
    const event = events[place];
    const parent = events[parents[place] ?? -1];
    if (event === undefined || parent === undefined) continue;
    const user_id = event.user_id ?? parent.user_id;
    const session_id = event.session_id ?? parent.session_id;
    if (user_id !== event.user_id || session_id !== event.session_id)
      events[place] = { ...event, user_id, session_id };
  }
}
