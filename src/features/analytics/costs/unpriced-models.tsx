import type { JSX } from 'react';
import { ModelLink } from '../../../core/events/widgets/model-link.tsx';
import { useMember } from '../../../dashboard/shell/member.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { Icon } from '../../../dashboard/ui/icons.tsx';
import { numberText } from '../../../lib/figures.ts';
import { NO_MODEL } from '../../../lib/no-model.ts';
import type { CostsReply } from '../contract.ts';
import { MOST_MODELS } from '../most.ts';
import css from './unpriced-models.module.css';

/** Maximum number of models named; the prices page lists them all. */
const NAMED = 3;

/** The models without a price, whose calls no cost includes. */
export function UnpricedModels({ costs }: { costs: CostsReply }): JSX.Element | null {
  const { may } = useMember();
  const { unpriced, calls, unpricedModels } = costs;
  const [first] = unpricedModels;
  if (first === undefined) return null;
  const named = unpricedModels.slice(0, NAMED);
  const more = unpricedModels.length - named.length;
  const one = unpricedModels.length === 1;
  // A call without a model or without tokens has no cost, whatever prices are set.
  const curable =
    may('admin') && unpricedModels.some(({ model, tokens }) => model !== NO_MODEL && tokens > 0);
  return (
    <section className={css.unpricedNote} aria-label="Calls without a price">
      <Icon name="errors" size={15} />
      <p>
        <ProjectLink page="events" className={css.unpricedLink} search={{ costStatus: 'unpriced' }}>
          {numberText(unpriced)} of {numberText(calls)} calls
        </ProjectLink>{' '}
        have no known price; no cost here includes them:{' '}
        {named.map(({ provider, model, tokens }, place) => (
          <span key={`${provider} ${model}`}>
            {place > 0 && ', '}
            <ModelLink
              model={model}
              className={css.unpricedLink}
              search={{ provider: provider ?? undefined, costStatus: 'unpriced' }}
            />
            {tokens === 0 && ' (no token counts)'}
          </span>
        ))}
        {more > 0 &&
          ` and ${numberText(more)}${unpricedModels.length < MOST_MODELS ? '' : ' or more'} others`}
        .
      </p>
      <ProjectLink
        page="prices"
        className={css.unpricedAct}
        search={one && curable ? { model: first.model, provider: first.provider ?? undefined } : {}}
      >
        {curable ? (one ? 'Set price' : 'Set prices') : 'Prices'}
      </ProjectLink>
      {curable && (
        <ProjectLink page="costs/repricing" className={css.unpricedAct} search={{ costStatus: 'unpriced' }}>
          Re-price
        </ProjectLink>
      )}
    </section>
  );
}
