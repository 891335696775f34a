import type { JSX } from 'react';
import { useMember } from '../../dashboard/member.ts';
import { Icon } from '../../dashboard/ui/icons.tsx';
import { ProjectLink } from '../../dashboard/ui/project-link.tsx';
import { numberText } from '../../lib/figures.ts';
import type { CostsReply } from './contract.ts';

/** Models that are named; the prices page has them all. */
const NAMED = 3;

/** Which models have no price: their calls are in no cost. */
export function UnpricedNote({ costs }: { costs: CostsReply }): JSX.Element | null {
  const { may } = useMember();
  const { unpriced, calls, unpricedModels } = costs;
  const [first] = unpricedModels;
  if (first === undefined) return null;
  const named = unpricedModels.slice(0, NAMED);
  const more = unpricedModels.length - named.length;
  const one = unpricedModels.length === 1;
  return (
    <section className="unpriced-note" aria-label="Calls without a price">
      <Icon name="errors" size={15} />
      <p>
        <ProjectLink page="events" className="unpriced-link" search={{ costStatus: 'unpriced' }}>
          {numberText(unpriced)} of {numberText(calls)} calls
        </ProjectLink>{' '}
        have no known price and are in no cost here:{' '}
        {named.map(({ provider, model }, place) => (
          <span key={`${provider} ${model}`}>
            {place > 0 && ', '}
            <ProjectLink
              page="events"
              className="unpriced-link"
              search={{ model, provider: provider ?? undefined, costStatus: 'unpriced' }}
            >
              {model}
            </ProjectLink>
          </span>
        ))}
        {more > 0 && ` and ${numberText(more)} more`}.
      </p>
      <ProjectLink
        page="prices"
        className="unpriced-act"
        search={one && may('admin') ? { model: first.model, provider: first.provider ?? undefined } : {}}
      >
        {may('admin') ? (one ? 'Set its price' : 'Set prices') : 'Prices'}
      </ProjectLink>
      {may('admin') && (
        <ProjectLink page="costs/repricing" className="unpriced-act" search={{ costStatus: 'unpriced' }}>
          Re-price
        </ProjectLink>
      )}
    </section>
  );
}
