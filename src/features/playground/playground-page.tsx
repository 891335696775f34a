import { Button, Textarea } from '@mantine/core';
import { type JSX, type KeyboardEvent, useCallback, useState } from 'react';
import type { ModelsReply } from '../../core/models/contract.ts';
import { useApi } from '../../dashboard/shell/api.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Failure, Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { moneyText } from '../../lib/figures.ts';
import { type Column, configOf, type Draft, EMPTY_DRAFT, newKey, variablesIn } from './draft.ts';
import { MessageEditor } from './message-editor.tsx';
import { ModelColumn } from './model-column.tsx';
import css from './playground.module.css';
import { SaveVersion } from './save-version.tsx';
import { type Loaded as LoadedDraft, useLoadedDraft } from './use-loaded-draft.ts';
import { modelsApi, useRuns } from './use-runs.ts';

/** Trying messages on models, several side by side. */
export function PlaygroundPage(): JSX.Element {
  const projectId = useProjectId();
  const models = useApi(modelsApi, { query: { projectId } });
  return (
    <Page title="Playground" scoped={false}>
      <Loaded of={models} loading={<LoadingRows rows={8} />}>
        {(data) => (data.models.length === 0 ? <Unconfigured /> : <Playground data={data} />)}
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
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT);
  const first = models[0]?.id ?? '';
  const [columns, setColumns] = useState<readonly Column[]>([
    { key: newKey(), model: first, temperature: '', maxOutputTokens: '' },
  ]);
  const onLoad = useCallback(
    (loaded: LoadedDraft): void => {
      setDraft((before) => ({ ...before, ...loaded.draft }));
      const model = models.find(({ id, model: name }) => id === loaded.model || name === loaded.model)?.id;
      setColumns(([column]) => [
        {
          key: newKey(),
          model: model ?? column?.model ?? first,
          temperature: '',
          maxOutputTokens: '',
          ...loaded.column,
        },
      ]);
    },
    [models, first],
  );
  const { error } = useLoadedDraft(onLoad);
  const { names, error: mistake } = variablesIn(draft.messages);
  const mayRun =
    member.may('member') && mistake === null && draft.messages.some(({ content }) => content !== '');

  const run = (): void => {
    if (!mayRun) return;
    for (const column of columns) {
      const config = configOf(draft, column);
      if ('problem' in config) runs.refuse(column.key, config.problem);
      else runs.start(column.key, requestOf(draft, { model: column.model, config, names }));
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run();
  };
  const add = (): void =>
    setColumns((all) => [
      ...all,
      {
        key: newKey(),
        model: models.find(({ id }) => all.every(({ model }) => model !== id))?.id ?? first,
        temperature: '',
        maxOutputTokens: '',
      },
    ]);

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
          actions={<SaveVersion draft={draft} column={columns[0]} />}
        >
          <MessageEditor
            messages={draft.messages}
            onChange={(messages) => setDraft({ ...draft, messages, prompt: null })}
          />
          {mistake !== null && (
            <p role="alert" className="form-error">
              {mistake}
            </p>
          )}
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
            <Button color="red" onClick={runs.stop}>
              Stop
            </Button>
          ) : (
            <Button onClick={run} disabled={!mayRun} title="Ctrl or ⌘ and Enter">
              Run
            </Button>
          )}
          <Button variant="default" onClick={add} disabled={columns.length >= MAX_COLUMNS}>
            Add model
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

function spentText({ capUsd, spentUsd }: ModelsReply['month'], mayRun: boolean): string {
  if (!mayRun) return 'Viewers cannot run models; ask for the role member';
  const spent = `${moneyText(spentUsd)} spent this month`;
  return capUsd === null ? spent : `${spent} of ${moneyText(capUsd)}`;
}

type Request = Parameters<ReturnType<typeof useRuns>['start']>[1];

function requestOf(
  { messages, variables, prompt }: Draft,
  { model, config, names }: { model: string; config: Request['config']; names: readonly string[] },
): Request {
  return {
    model,
    config,
    messages: messages
      .filter(({ content, toolCalls }) => content !== '' || toolCalls !== undefined)
      .map(({ key: _, ...message }) => message),
    variables: Object.fromEntries(names.map((name) => [name, variables[name] ?? ''])),
    ...(prompt !== null && { prompt }),
  };
}
