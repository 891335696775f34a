import { badRequest } from '../../../../../errors.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import type { Link } from '../../../link-tree.ts';
import { BASIC_FACTS } from '../../../links.ts';
import type { Dimension } from '../../../metrics.ts';
import { RUN_DIMENSIONS } from '../../../query/runs-query.ts';
import type { Window } from '../../../selection.ts';
import { isEventDimension } from '../metrics/dimensions.ts';

/** Calls belong to a run from so many hours before the hour in which it began to so many after it. */
export const REACH = { before: 1, after: 24 } as const;

/** The hours since the epoch in which runs of a window may have calls. */
export const wideHours = ({ from, to }: Window): Window => ({
  from: Math.floor(from / HOUR_MS) - REACH.before,
  to: Math.ceil(to / HOUR_MS) + REACH.after,
});

/** @throws AppError 400 for a dimension that runs do not have */
export function refuseOtherDimensions(groupBy: readonly Dimension[]): void {
  for (const name of groupBy)
    if (isEventDimension(name) && !RUN_DIMENSIONS.some((known) => known === name))
      throw badRequest(
        `groupBy: runs can't be split by ${name}; use ${RUN_DIMENSIONS.join(', ')}, keyId or tag:NAME`,
      );
}

/** Values of dimensions, and of conditions, that the link of a head has: its event need not be read. */
export const FACTS = {
  agent: ({ root }) => root,
  release: ({ facts }) => facts[0] ?? null,
  environment: ({ facts }) => facts[1] ?? null,
  promptName: ({ facts }) => facts[2] ?? null,
  prompt: ({ facts }) => facts[2] ?? null,
  promptVersion: ({ facts }) => facts[3] ?? null,
  agentVersion: ({ facts }) => facts[BASIC_FACTS + 1] ?? null,
} as const satisfies Record<string, (link: Link) => string | null>;
export type Fact = keyof typeof FACTS;
