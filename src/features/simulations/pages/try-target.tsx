import { Button, Textarea } from '@mantine/core';
import type { JSX } from 'react';
import { useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { durationText, moneyText } from '../../../lib/figures.ts';
import type { SimulationDetail, TriedTarget, TryTargetBody } from '../contract.ts';
import { tryApi } from './simulations-api.ts';

type Target = TryTargetBody['target'];

/** Targets that a server calls over HTTP: of the suite, or of the first scenario that has one of its own. */
function targetOf({ suite }: SimulationDetail): Target | undefined {
  const scenarios = (suite.scenarios ?? []) as readonly { readonly target?: Target }[];
  const targets = [suite.target as Target | undefined, ...scenarios.map(({ target }) => target)];
  return targets.find((target) => target !== undefined && 'url' in target);
}

/** Sends one message to the target as it was saved, and shows what its mapping reads from the reply. */
export function TryTarget({ suite }: { readonly suite: SimulationDetail }): JSX.Element | false {
  const projectId = useProjectId();
  const { may } = useMember();
  const [tried, setTried] = useState<TriedTarget | null>(null);
  const target = targetOf(suite);
  const form = useSubmit(async ({ message = '' }) => {
    setTried(null);
    const body = { target: target as Target, message, simulationId: suite.id };
    setTried(await send(tryApi, { query: { projectId }, body }));
  });
  if (!may('member') || target === undefined) return false;
  return (
    <Panel title="Try the target" detail={`as in version ${suite.version}; nothing is stored`}>
      <form onSubmit={form.onSubmit} className="form">
        <Textarea label="Message" name="message" defaultValue="Hello" required autosize maxRows={8} />
        <p role="alert" className="form-error">
          {form.failure}
        </p>
        <div>
          <Button type="submit" size="xs" variant="default" loading={form.busy}>
            Send message
          </Button>
        </div>
      </form>
      {tried !== null && <Answer tried={tried} />}
    </Panel>
  );
}

function Answer({ tried }: { readonly tried: TriedTarget }): JSX.Element {
  const { text, toolCalls, latencyMs, costUsd, traceId, error, status, raw } = tried;
  const facts = [
    status === null ? 'no reply' : `HTTP ${status}`,
    durationText(latencyMs),
    costUsd === null ? 'no cost reported' : moneyText(costUsd),
    ...(toolCalls.length === 0 ? [] : [`called ${toolCalls.map(({ name }) => name).join(', ')}`]),
    traceId === null ? 'no trace reported' : `trace ${traceId}`,
  ];
  return (
    <section aria-label="Reply" className="stack">
      {error === null ? <p>{text === '' ? 'The answer is empty.' : text}</p> : <p className="bad">{error}</p>}
      <p className="dim">{facts.join(' · ')}</p>
      {raw !== null && (
        <details>
          <summary>Reply as it came</summary>
          <pre className="json">{raw}</pre>
        </details>
      )}
    </section>
  );
}
