import { useDebouncedValue } from '@mantine/hooks';
import type { JSX } from 'react';
import type { WaterfallReply } from '../../core/events/contract.ts';
import type { getEventEndpoint } from '../../core/events/list/contract.ts';
import { EventDetails } from '../../core/events/widgets/event-details.tsx';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useScope } from '../../dashboard/shell/scope/scope.ts';
import { Loaded, LoadingRows } from '../../dashboard/ui/states.tsx';
import { formatInstant } from '../../lib/time.ts';

const eventApi = endpointOf<typeof getEventEndpoint>('GET /v1/events/:id');

/** Who goes through the spans by key wants to see the one on which they stop. */
const PAUSE_MS = 90;

type Props = {
  readonly trace: WaterfallReply;
  /** The span's place in its columns. */
  readonly place: number;
};

/** A span in full, fetched when it is looked at. */
export function SpanDetails({ trace: { trace, spans }, place }: Props): JSX.Element {
  const { projectId, zone } = useScope();
  const [settled] = useDebouncedValue(place, PAUSE_MS);
  const event = useApi(eventApi, {
    params: { id: spans.event_id[settled] ?? '' },
    query: {
      projectId,
      timestamp: formatInstant(Date.parse(trace.start) + (spans.start_ms[settled] ?? 0)),
    },
  });
  return (
    <Loaded of={event} loading={<LoadingRows rows={10} />}>
      {(found) => <EventDetails event={found} zone={zone} />}
    </Loaded>
  );
}
