import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { Icon } from '../../dashboard/ui/icons.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { saveFile } from '../../dashboard/ui/save-file.ts';
import { Snippet } from '../../dashboard/ui/snippet.tsx';
import type { Layout } from './contract.ts';
import { LAYOUT_NAMES } from './layout-names.ts';
import css from './layouts-help.module.css';

const WHERE: readonly { readonly layout: Layout; readonly from: string; readonly by: string }[] = [
  {
    layout: 'openai-usage',
    from: 'Platform, Usage, Export',
    by: 'start_time_iso, model, num_model_requests, input_tokens, input_cached_tokens, output_tokens',
  },
  {
    layout: 'openai-costs',
    from: 'Platform, Usage, Spend, Export',
    by: 'start_time_iso, amount_value, amount_currency, line_item (grouped by line item)',
  },
  {
    layout: 'anthropic-usage',
    from: 'Console, Usage, Export',
    by: 'usage_date_utc, model_version, usage_input_tokens_no_cache, usage_output_tokens',
  },
  {
    layout: 'anthropic-costs',
    from: 'Console, Cost, Export',
    by: 'usage_date_utc, model, workspace, api_key, token_type, cost_usd, list_price_usd, cost_type',
  },
  {
    layout: 'openrouter-activity',
    from: 'Activity, Export',
    by: 'created_at, model_permaslug, tokens_prompt, tokens_completion, cost_total',
  },
  {
    layout: 'google-billing',
    from: 'Billing, Cost table, or BigQuery export as CSV',
    by: 'Service description, SKU description, Cost type, Usage start date, Usage amount, Cost',
  },
  {
    layout: 'aws-cur',
    from: 'Cost and Usage Report 1 and 2, Data Exports',
    by: 'line_item_usage_start_date, line_item_usage_type, line_item_usage_amount, line_item_unblended_cost',
  },
  {
    layout: 'azure-costs',
    from: 'Cost Management, Exports',
    by: 'Date, MeterCategory, MeterName, Quantity, UnitOfMeasure, CostInBillingCurrency',
  },
  {
    layout: 'generic',
    from: 'any other provider',
    by: 'date (or time, where each row is a call), model; the other columns of the sample are optional',
  },
];

/** A plain export, for invoices of other providers. */
const SAMPLE = `date,provider,model,calls,input_tokens,cached_input_tokens,output_tokens,cost_usd
2026-10-01,openai,gpt-4o,120,240000,60000,31200,0.8370
2026-10-01,anthropic,claude-sonnet-4-5,40,96000,0,18400,0.5640
`;

/** The supported exports, with an example. */
export const LayoutsHelp = (): JSX.Element => (
  <Panel
    title="Supported exports"
    detail="CSV in UTF-8 with a header row, up to 20 MB, 500,000 rows and 400 days"
    actions={
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<Icon name="download" size={13} />}
        onClick={() => saveFile('spanledger-sample.csv', SAMPLE)}
      >
        Sample
      </Button>
    }
  >
    <div className="stack">
      <dl>
        {WHERE.map(({ layout, from, by }) => (
          <div key={layout} className={css.layoutRow}>
            <dt>
              {LAYOUT_NAMES[layout]} <span className="dim">{from}</span>
            </dt>
            <dd className={`mono ${css.layoutHeadings}`}>{by}</dd>
          </div>
        ))}
      </dl>
      <Snippet text={SAMPLE.trimEnd()} label="A plain CSV" />
      <p className="dim">
        Days are in UTC. <code>input_tokens</code> includes cached tokens. Without <code>cost_usd</code>,
        tokens are priced with this project’s prices. Credits, taxes, other currencies and other services are
        shown apart and never added.
      </p>
    </div>
  </Panel>
);
