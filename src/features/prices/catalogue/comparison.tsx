import { CloseButton } from '@mantine/core';
import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import { compactText } from '../../../lib/figures.ts';
import { catalogueModelsApi } from '../asked-price.tsx';
import { labelOf, RATE_GROUPS, usdText } from '../rate-labels.ts';
import css from './comparison.module.css';
import type { ModelPrices } from './contract.ts';
import { ModelHistory } from './model-history.tsx';

type Props = {
  readonly names: readonly string[];
  readonly organizationId: string;
  readonly onRemove: (name: string) => void;
};

/** The prices of some models beside each other, and the history of each. */
export function Comparison({ names, organizationId, onRemove }: Props): JSX.Element {
  const found = useApi(catalogueModelsApi, { query: { organizationId, names: names.join(',') } });
  return (
    <Panel title={names.length === 1 ? 'Price' : 'Comparison'} detail="now, short inputs" flush>
      <Loaded of={found} loading={<LoadingRows rows={4} />}>
        {({ models }) => (
          <>
            <Rates models={models} onRemove={onRemove} />
            <div className={css.histories}>
              {models.map((model) => (
                <ModelHistory key={model.asked} model={model} />
              ))}
            </div>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function Rates({
  models,
  onRemove,
}: {
  readonly models: readonly ModelPrices[];
  readonly onRemove: (name: string) => void;
}): JSX.Element {
  const { may } = useMember();
  const used = RATE_GROUPS.flatMap(({ rates }) => rates).filter(([rate]) =>
    models.some(({ inForce }) => inForce?.rates[rate] !== undefined),
  );
  return (
    <section className="table-scroll" tabIndex={0} aria-label="Rates of the chosen models">
      <table className={`table ${css.rates}`}>
        <thead>
          <tr>
            <th>Rate</th>
            {models.map(({ asked }) => (
              <th key={asked} className="right">
                <span className={css.head}>
                  {asked}
                  <CloseButton size="xs" aria-label={`Hide ${asked}`} onClick={() => onRemove(asked)} />
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {used.map(([rate]) => (
            <tr key={rate}>
              <th scope="row">{labelOf(rate)}</th>
              {models.map(({ asked, inForce }) => {
                const usd = inForce?.rates[rate];
                return (
                  <td key={asked} className="right num">
                    {usd === undefined ? <span className="dim">–</span> : usdText(usd)}
                  </td>
                );
              })}
            </tr>
          ))}
          <tr>
            <th scope="row">Context</th>
            {models.map(({ asked, contextWindow }) => (
              <td key={asked} className="right num">
                {contextWindow === null ? '–' : compactText(contextWindow)}
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">Price from</th>
            {models.map(({ asked, provider, model, inForce }) => (
              <td key={asked} className="right">
                {inForce === null ? 'no price' : inForce.source === 'override' ? 'custom price' : 'catalogue'}
                {may('admin') && (
                  <>
                    {' · '}
                    <ProjectLink page="prices" search={{ model, provider: provider ?? undefined }}>
                      {inForce?.source === 'override' ? 'change' : 'set price'}
                    </ProjectLink>
                  </>
                )}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </section>
  );
}
