import { type JSX, useEffect, useState } from 'react';
import { Kpis } from '../../../dashboard/ui/kpis.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { countText, durationText, numberText } from '../../../lib/figures.ts';
import type { System } from '../contract.ts';

/** Reads of the figures over which the rate is taken. */
const READS = 7;

const dim = (text: string): JSX.Element => <span className="dim">{text}</span>;
const bad = (text: string): JSX.Element => <span className="bad">{text}</span>;

/** What the server does now. */
export function LoadPanel({ system }: { system: System }): JSX.Element {
  const { ingest, writer, readers, process } = system;
  const rate = useRate(system);
  const most = (ms: number | null): string => (ms === null ? 'none yet' : `99 % within ${durationText(ms)}`);
  return (
    <Panel title="Load" detail="since the start of the server, and now" flush>
      <Kpis
        kpis={[
          {
            id: 'rate',
            label: 'Events per second',
            kind: 'rate',
            value: rate,
            note: dim(`${numberText(ingest.events)} in all, ${countText(ingest.duplicates, 'duplicate')}`),
          },
          {
            id: 'queue',
            label: 'Requests with events in work',
            kind: 'count',
            value: ingest.waiting,
            note: ingest.accepts
              ? dim(`${numberText(ingest.unsealed)} events not in the totals yet`)
              : bad('the store has no room for more'),
          },
          {
            id: 'writer',
            label: 'Rows waiting for the writer',
            kind: 'count',
            value: writer.pending,
            note:
              writer.failed > 0
                ? bad(`${numberText(writer.failed)} of ${numberText(writer.writes)} writes failed`)
                : dim(`${numberText(writer.writes)} writes, ${most(writer.p99)}`),
          },
          {
            id: 'readers',
            label: 'Busy readers',
            kind: 'count',
            value: readers?.busy ?? 0,
            missing: readers === null,
            note:
              readers !== null && readers.waiting > 0
                ? bad(`${numberText(readers.waiting)} queries wait`)
                : dim(`of ${readers?.processes ?? 0} processes`),
          },
          {
            id: 'reads',
            label: 'Queries',
            kind: 'count',
            value: readers?.reads ?? 0,
            missing: readers === null,
            note: dim(
              `${most(readers?.p99 ?? null)}${readers !== null && readers.failed > 0 ? `, ${numberText(readers.failed)} failed` : ''}`,
            ),
          },
          {
            id: 'memory',
            label: 'Memory',
            kind: 'bytes',
            value: process.memory,
            note: dim(
              process.descriptors === null ? '' : `${numberText(process.descriptors)} files and connections`,
            ),
          },
        ]}
      />
    </Panel>
  );
}

/** Events per second over the last reads; at first since the start. */
function useRate(system: System): number {
  const [reads, setReads] = useState<readonly System[]>([]);
  useEffect(() => {
    setReads((before) => {
      // A restart begins to count anew.
      const kept = before.filter(({ ingest }) => ingest.events <= system.ingest.events);
      return kept.at(-1)?.now === system.now ? before : [...kept, system].slice(-READS);
    });
  }, [system]);
  const [first] = reads;
  const isAlone = first === undefined || first.now === system.now;
  const since = Date.parse(isAlone ? system.startedAt : first.now);
  const events = system.ingest.events - (isAlone ? 0 : first.ingest.events);
  const seconds = (Date.parse(system.now) - since) / 1_000;
  return seconds > 0 ? events / seconds : 0;
}
