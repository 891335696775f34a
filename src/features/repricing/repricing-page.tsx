import type { JSX } from 'react';
import { CostTabs } from '../../dashboard/shell/cost-tabs.tsx';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { useScope } from '../../dashboard/shell/scope/scope.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { PlanForm } from './plan-form.tsx';
import { RepricingTable } from './repricing-table.tsx';
import { RepricingView } from './repricing-view.tsx';
import { isBusy } from './state-badge.tsx';
import { useRepricing, useRepricings } from './use-repricing.ts';

/** Prices stored calls again at today's prices: a dry run, its application, and undoing it. */
export function RepricingPage(): JSX.Element {
  const scope = useScope('costs/repricing');
  const { may } = useMember();
  const chosen = scope.search.id;
  const open = useRepricing(chosen);
  const list = useRepricings(open.data);
  const atWork = list.data?.repricings.some(isBusy) ?? false;
  return (
    <Page title="Re-pricing">
      <CostTabs />
      <p className="dim lead">
        A new price applies to new calls; stored costs stay until you re-price them. A dry run shows what
        would change. Applying it updates every figure, and you can undo it.
      </p>
      {may('admin') ? (
        <PlanForm scope={scope} disabled={atWork} />
      ) : (
        <p>Only owners and admins can re-price calls. Past re-pricings are listed below.</p>
      )}
      {chosen !== undefined && <RepricingView key={chosen} of={open} />}
      <Panel title="Past re-pricings" flush>
        <Loaded of={list} loading={<LoadingRows rows={3} />}>
          {({ repricings }) =>
            repricings.length === 0 ? (
              <Notice icon="refresh" title="None yet">
                Every call has the cost that it was stored with.
              </Notice>
            ) : (
              <RepricingTable repricings={repricings} chosen={chosen} />
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}
