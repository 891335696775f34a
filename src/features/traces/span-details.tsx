import { useDebouncedValue } from '@mantine/hooks';
import { type JSX, useMemo } from 'react';
import { SpanComments } from '../../core/comments/span-comments.tsx';
import type { WaterfallReply } from '../../core/events/contract.ts';
import type { EventPlace, getEventEndpoint } from '../../core/events/list/contract.ts';
import { EventDetails } from '../../core/events/widgets/event-details.tsx';
import { TargetScores } from '../../core/scores/target-scores.tsx';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useScope } from '../../dashboard/shell/scope/scope.ts';
import { Loaded, LoadingRows } from '../../dashboard/ui/states.tsx';
import { formatInstant } from '../../lib/time.ts';
import { callsAround } from './trace-tree.ts';

const eventApi = endpointOf<typeof getEventEndpoint>('GET /v1/events/:id');

/** Who goes through the spans by key wants to see the one on which they stop. */
const PAUSE_MS = 90;

type Props = {
  readonly trace: WaterfallReply;
  /** The span's place in its columns. */
  readonly place: number;
  readonly onGo: (place: number) => void;
};

/** A span in full, fetched when it is looked at, with the calls around it. */
export function SpanDetails({ trace: { trace, spans }, place, onGo }: Props): JSX.Element {
  const { projectId, zone } = useScope();
  const [settled] = useDebouncedValue(place, PAUSE_MS);
  const around = useMemo(() => {
    const placeOf = (at: number): EventPlace | null =>
      at < 0
        ? null
        : {
            event_id: spans.event_id[at] ?? '',
            timestamp: formatInstant(Date.parse(trace.start) + (spans.start_ms[at] ?? 0)),
          };
    const { previous, next } = callsAround(spans, settled);
    return { previous: placeOf(previous), next: placeOf(next) };
  }, [trace, spans, settled]);
  const event = useApi(eventApi, {
    params: { id: spans.event_id[settled] ?? '' },
    query: {
      projectId,
      timestamp: formatInstant(Date.parse(trace.start) + (spans.start_ms[settled] ?? 0)),
    },
  });
  return (
    <Loaded of={event} loading={<LoadingRows rows={10} />}>
      {(found) => (
        <>
          <EventDetails
            event={found}
            zone={zone}
            around={around}
            onOpen={({ event_id }) => onGo(spans.event_id.indexOf(event_id))}
          />
          <TargetScores
            key={found.event_id}
            of={{
              traceId: trace.trace_id,
              ...(spans.depth[settled] !== 0 && { spanId: found.span_id }),
            }}
          />
          <SpanComments traceId={trace.trace_id} spanId={found.span_id} />
        </>
      )}
    </Loaded>
  );
}
