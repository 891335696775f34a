import type { JSX } from 'react';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Snippet } from '../../../dashboard/ui/snippet.tsx';

const SAMPLE = `[
  {
    "id": "anthropic",
    "provider": "anthropic",
    "keyFile": "/run/secrets/anthropic-admin",
    "organization": "Acme"
  }
]`;

/** How the operator sets a connector up; people cannot do it here, because it needs an admin key. */
export const SetupHelp = (): JSX.Element => (
  <Panel title="No connectors yet">
    <div className="stack">
      <p>
        A connector fetches what Anthropic, OpenAI or OpenRouter billed, each night. The operator of this
        server lists connectors in a file, names it in <code>CONNECTORS_FILE</code>, and restarts the server:
      </p>
      <Snippet text={SAMPLE} label="connectors.json" />
      <p className="dim">
        The key file holds an admin key of the provider. <code>spanledger jobs run connectors.fetch</code>{' '}
        fetches at once.
      </p>
    </div>
  </Panel>
);
