import type { ReactNode } from 'react';
import type { Card } from '../../../../dashboard/shell/metrics/card.ts';
import type { MetricsReply } from '../../query/contract.ts';

export type LatencyProps = {
  readonly reply: MetricsReply;
  readonly time: 'latency' | 'ttft';
  readonly view: 'histogram' | 'heatmap';
  readonly label: string;
  readonly height: number;
  /** A filter beside that of the page. */
  readonly filter?: string | undefined;
  /** What it shows as a card of a dashboard. */
  readonly card?: Card | undefined;
  readonly children?: ReactNode;
};

/** A bin, in one step or in all of them. */
export type Cell = { readonly bin: number; readonly step?: number };
