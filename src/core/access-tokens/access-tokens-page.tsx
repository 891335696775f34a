import { Button } from '@mantine/core';
import { type JSX, useState } from 'react';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { Paged } from '../../dashboard/shell/paged.tsx';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { usePages } from '../../dashboard/shell/use-pages.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { SecretOnce } from '../../dashboard/ui/secret-once.tsx';
import { Snippet } from '../../dashboard/ui/snippet.tsx';
import { Notice } from '../../dashboard/ui/states.tsx';
import type { CreatedToken, listTokensEndpoint } from './contract.ts';
import { TokenForm } from './token-form.tsx';
import { TokenTable } from './token-table.tsx';

const listTokensApi = endpointOf<typeof listTokensEndpoint>('GET /v1/access-tokens');

/** The access tokens of the organization. */
export function AccessTokensPage(): JSX.Element {
  const { organizationId, organizationName, may } = useMember();
  const here = useProjectId();
  const pages = usePages(listTokensApi, { query: { organizationId } }, { enabled: organizationId !== '' });
  const [isNew, setIsNew] = useState(false);
  // Shown until the user leaves the page.
  const [fresh, setFresh] = useState<CreatedToken | null>(null);
  const add = may('admin') ? <Button onClick={() => setIsNew(true)}>New token</Button> : undefined;
  const isEmpty = pages.data?.pages[0]?.accessTokens.length === 0;
  return (
    <Page
      title="Access tokens"
      detail={<span className="dim">of {organizationName}</span>}
      actions={isEmpty ? undefined : add}
      scoped={false}
    >
      <p className="dim lead">
        A token lets a program read what its creator can read, or report deployments. It never has more rights
        than the current role of the member who created it, and ends when they leave. To send events, use an
        API key.
      </p>
      {fresh !== null && (
        <Panel title={`Token ${fresh.name}`} detail="Copy it now, it is shown only once">
          <SecretOnce value={fresh.token} />
        </Panel>
      )}
      <Paged
        pages={pages}
        rowsOf={({ accessTokens }) => accessTokens}
        empty={
          <Notice icon="key" title="No access tokens yet" action={add}>
            Create one for a report, a CI job or a script that reads costs, events or exports.
          </Notice>
        }
        more="Show more tokens"
      >
        {(tokens) => <TokenTable tokens={tokens} />}
      </Paged>
      <Panel title="Use a token" detail="keep it in SPANLEDGER_TOKEN">
        <Snippet
          text={`curl "${location.origin}/v1/costs?projectId=${fresh?.projectId ?? here}" \\
  -H "Authorization: Bearer $SPANLEDGER_TOKEN"`}
          label="A request with an access token"
        />
      </Panel>
      {isNew && <TokenForm onMade={setFresh} onClose={() => setIsNew(false)} />}
    </Page>
  );
}
