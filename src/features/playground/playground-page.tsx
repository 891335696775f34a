import { Button, Textarea } from '@mantine/core';
import type { JSX, KeyboardEvent } from 'react';
import type { ModelsReply } from '../../core/models/contract.ts';
import { useApi } from '../../dashboard/shell/api.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { useProjectId, useScope } from '../../dashboard/shell/scope/scope.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Failure, Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { moneyText } from '../../lib/figures.ts';
import { newColumn, variablesIn } from './draft.ts';
import { MessageEditor } from './message-editor.tsx';
import { ModelColumn } from './model-column.tsx';
import css from './playground.module.css';
import { PromptPicker } from './prompt-picker.tsx';
import { allVariables, requestOf } from './request-of.ts';
import { SaveVersion } from './save-version.tsx';
import { type EditedDraft, useDraft } from './use-draft.ts';
import { modelsApi, useRuns } from './use-runs.ts';

/** Trying messages and versions of prompts on models, several side by side. */
export function PlaygroundPage(): JSX.Element {
  const projectId = useProjectId();
  const models = useApi(modelsApi, { query: { projectId } });
  return (
    <Page title="Playground" scoped={false}>
      <Loaded of={models} loading={<LoadingRows rows={8} />}>
        {(data) => (data.models.length === 0 ? <Unconfigured /> : <Playground key={projectId} data={data} />)}
      </Loaded>
    </Page>
  );
}

const Unconfigured = (): JSX.Element => (
  <Panel>
    <Notice icon="inspect" title="No model is configured">
      The playground calls models from the server. Its operator sets <code>OPENAI_API_KEY</code>,{' '}
      <code>ANTHROPIC_API_KEY</code>, <code>GEMINI_API_KEY</code>, or <code>AI_BASE_URL</code> with{' '}
      <code>AI_MODEL</code>, and restarts it. See the <a href="/docs/models">documentation of models</a>.
    </Notice>
  </Panel>
);

const MAX_COLUMNS = 4;

function Playground({ data }: { data: ModelsReply }): JSX.Element {
  const { models, month } = data;
  const member = useMember();
  const runs = useRuns();
  const { prompt } = useScope('playground').search;
  const edited = useDraft(models);
  const { draft, setDraft, columns, setColumns, error } = edited;
  const { names: own, error: mistake } = variablesIn(draft.messages);
  const names = allVariables(own, columns);
  const isEmpty =
    mistake !== null || draft.messages.every(({ content, images }) => content === '' && images === undefined);
  const mayRun = member.may('member') && columns.every(({ version }) => version !== null || !isEmpty);

  const run = (): void => {
    if (!mayRun) return;
    for (const column of columns) {
      const request = requestOf(draft, column, own);
      if ('problem' in request) runs.refuse(column.key, request.problem);
      else runs.start(column.key, request);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run();
  };
  const add = (): void => {
    const other = models.find(({ id }) => columns.every(({ model }) => model !== id)) ?? models[0];
    setColumns([...columns, newColumn(other?.id ?? '')]);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcut works in each field; the button does the same
    <div className={css.playground} onKeyDown={onKeyDown}>
      <div className="stack">
        {error !== null && <Failure error={error} />}
        <Panel
          title="Messages"
          detail={
            draft.prompt === null ? undefined : `${draft.prompt.name} · version ${draft.prompt.version}`
          }
          actions={
            <>
              <PromptPicker />
              <SaveVersion draft={draft} column={columns[0]} />
              <StartOver edited={edited} onConfirm={runs.stop} />
            </>
          }
        >
          <div className="stack">
            <MessageEditor
              messages={draft.messages}
              onChange={(messages) => setDraft({ ...draft, messages, prompt: null })}
            />
            {!edited.isUntouched && (
              <p className="dim">
                {edited.isKept
                  ? 'This draft stays in this browser tab until you sign out.'
                  : 'This draft is too large to outlast a reload of the page; save it as a version or take images out.'}
              </p>
            )}
            {mistake !== null && (
              <p role="alert" className="form-error">
                {mistake}
              </p>
            )}
          </div>
        </Panel>
        {names.length > 0 && (
          <Panel title="Variables">
            <div className="stack">
              {names.map((name) => (
                <Textarea
                  key={name}
                  label={name}
                  autosize
                  minRows={1}
                  maxRows={8}
                  value={draft.variables[name] ?? ''}
                  onChange={({ currentTarget }) =>
                    setDraft({ ...draft, variables: { ...draft.variables, [name]: currentTarget.value } })
                  }
                />
              ))}
            </div>
          </Panel>
        )}
        <Panel title="Tools and output">
          <div className="stack">
            <Textarea
              label="Tools (JSON)"
              placeholder='[{ "name": "get_weather", "description": "…", "parameters": { "type": "object" } }]'
              autosize
              minRows={2}
              maxRows={14}
              classNames={{ input: 'mono' }}
              value={draft.tools}
              onChange={({ currentTarget }) => setDraft({ ...draft, tools: currentTarget.value })}
            />
            <Textarea
              label="Output schema (JSON Schema)"
              placeholder='{ "type": "object", "properties": { "city": { "type": "string" } } }'
              autosize
              minRows={2}
              maxRows={14}
              classNames={{ input: 'mono' }}
              value={draft.schema}
              onChange={({ currentTarget }) => setDraft({ ...draft, schema: currentTarget.value })}
            />
          </div>
        </Panel>
      </div>
      <div className="stack">
        <div className={css.bar}>
          {runs.isRunning ? (
            // The second click of a double click on Run is none on this.
            <Button color="red" onClick={({ detail }) => detail < 2 && runs.stop()}>
              Stop
            </Button>
          ) : (
            <Button onClick={run} disabled={!mayRun} title="Ctrl or ⌘ and Enter">
              Run
            </Button>
          )}
          <Button variant="default" onClick={add} disabled={columns.length >= MAX_COLUMNS}>
            Add column
          </Button>
          <span className="dim num">{spentText(month, member.may('member'))}</span>
        </div>
        <div className={css.columns}>
          {columns.map((column, place) => (
            <ModelColumn
              key={column.key}
              column={column}
              place={place + 1}
              models={models}
              prompt={prompt ?? column.version?.name ?? draft.prompt?.name ?? null}
              run={runs.runs.get(column.key)}
              onChange={(changed) =>
                setColumns(columns.map((one) => (one.key === changed.key ? changed : one)))
              }
              onRemove={
                columns.length === 1 ? null : () => setColumns(columns.filter((one) => one !== column))
              }
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** Empties the editor, which a reload of the page does not. */
const StartOver = ({ edited, onConfirm }: { edited: EditedDraft; onConfirm: () => void }): JSX.Element => (
  <Confirm
    label="Start over"
    title="Start with an empty editor?"
    confirm="Discard this draft"
    disabled={edited.isUntouched}
    onConfirm={() => {
      onConfirm();
      edited.startOver();
    }}
  >
    Messages, variables, tools and columns are discarded. Saved versions and recorded calls stay.
  </Confirm>
);

function spentText({ capUsd, spentUsd }: ModelsReply['month'], mayRun: boolean): string {
  if (!mayRun) return 'Viewers cannot run models; ask for the role member';
  const spent = `${moneyText(spentUsd)} spent this month`;
  return capUsd === null ? spent : `${spent} of ${moneyText(capUsd)}`;
}
