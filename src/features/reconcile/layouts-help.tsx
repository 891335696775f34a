import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { Icon } from '../../dashboard/ui/icons.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { saveFile } from '../../dashboard/ui/save-file.ts';
import { Snippet } from '../../dashboard/ui/snippet.tsx';
import type { Layout } from './contract.ts';
import css from './layouts-help.module.css';

/** Names of the layouts. */
export const LAYOUT_NAMES: Readonly<Record<Layout, string>> = {
  'openai-usage': 'OpenAI usage',
  'openai-costs': 'OpenAI costs',
  'anthropic-usage': 'Anthropic usage',
  'anthropic-costs': 'Anthropic costs',
  'openrouter-activity': 'OpenRouter activity',
  generic: 'Plain CSV',
};

const WHERE: readonly { readonly layout: Layout; readonly from: string; readonly by: string }[] = [
  {
    layout: 'openai-usage',
    from: 'Platform, Usage, Export',
    by: 'start_time_iso, model, num_model_requests, input_tokens, input_cached_tokens, output_tokens',
  },
  {
    layout: 'openai-costs',
    from: 'Platform, Usage, Costs, Export',
    by: 'start_time_iso, line_item, amount_value',
  },
  {
    layout: 'anthropic-usage',
    from: 'Console, Usage, Export',
    by: 'usage_date_utc, model_version, usage_input_tokens_no_cache, usage_output_tokens',
  },
  { layout: 'anthropic-costs', from: 'Console, Cost, Export', by: 'usage_date_utc, model_version, cost_usd' },
  {
    layout: 'openrouter-activity',
    from: 'Activity, Export',
    by: 'created_at, model_permaslug, tokens_prompt, tokens_completion, cost_total',
  },
  {
    layout: 'generic',
    from: 'any other provider',
    by: 'date, model; the other columns of the sample are optional',
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
    detail="CSV in UTF-8 with a header row, up to 20 MB"
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
        tokens are priced with this project’s prices.
      </p>
    </div>
  </Panel>
);
