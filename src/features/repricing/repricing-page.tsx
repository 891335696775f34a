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

/** Stored calls priced anew by the prices in force: looked at, applied, and put back. */
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
        A price holds for calls from then on; what was booked stays until it is priced anew. A dry run shows
        what would change. Applied, it goes into every figure, and it can be put back.
      </p>
      {may('admin') ? (
        <PlanForm scope={scope} disabled={atWork} />
      ) : (
        <p>Owners and admins price calls anew. What they did is below.</p>
      )}
      {chosen !== undefined && <RepricingView key={chosen} of={open} />}
      <Panel title="Past re-pricings" flush>
        <Loaded of={list} loading={<LoadingRows rows={3} />}>
          {({ repricings }) =>
            repricings.length === 0 ? (
              <Notice icon="refresh" title="None yet">
                Every call costs what it did when it arrived.
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
