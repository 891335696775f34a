import type { JSX } from 'react';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { numberText } from '../../../lib/figures.ts';
import type { InspectReply } from '../contract.ts';

type Props = Pick<InspectReply, 'senders' | 'resource'>;
const PARTS = ['user', 'session', 'prompts', 'tools'] as const;

/** What each client sends, and what to set so that the rest arrives. */
export function Senders({ senders, resource }: Props): JSX.Element | null {
  if (senders.length === 0) return null;
  return (
    <Panel title="Sent by">
      <dl className="changes">
        {senders.map((sender) => (
          <div key={sender.name}>
            <dt>{sender.name}</dt>
            <dd>
              <div>
                {numberText(sender.calls)} calls; {partsText(sender)}
              </div>
              {sender.hints.map((hint) => (
                <div key={hint} className="warn">
                  {hint}
                </div>
              ))}
            </dd>
          </div>
        ))}
        {resource.length > 0 && (
          <div>
            <dt className="dim">Resource</dt>
            <dd className="dim">
              Not kept: {resource.map(({ name }) => name).join(', ')} ({resource[0]?.reason})
            </dd>
          </div>
        )}
      </dl>
    </Panel>
  );
}

function partsText(sender: Props['senders'][number]): string {
  const has = PARTS.filter((part) => sender[part]);
  return has.length === 0 ? 'no user, session, prompts or tools' : `with ${has.join(', ')}`;
}
