import { Button, NativeSelect, NumberInput } from '@mantine/core';
import type { JSX } from 'react';
import type { ModelsReply } from '../../core/models/contract.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import type { Column, ColumnVersion } from './draft.ts';
import { findNamed, settingsOf } from './from-config.ts';
import css from './playground.module.css';
import { RunResult } from './run-result.tsx';
import type { Run } from './use-runs.ts';
import { VersionSelect } from './version-select.tsx';

type Props = {
  readonly column: Column;
  /** From 1. */
  readonly place: number;
  readonly models: ModelsReply['models'];
  /** The prompt that is open, whose versions the column can run; null without one. */
  readonly prompt: string | null;
  readonly run: Run | undefined;
  readonly onChange: (column: Column) => void;
  readonly onRemove: (() => void) | null;
};

const asNumber = (value: string | number): number | '' => (typeof value === 'number' ? value : '');

/** A text, a model with its settings, and its answer. */
export function ModelColumn({ column, place, models, prompt, run, onChange, onRemove }: Props): JSX.Element {
  const choose = (version: ColumnVersion | null): void => {
    const model = findNamed(models, version?.config.model) ?? column.model;
    onChange({ ...column, ...(version !== null && settingsOf(version.config)), version, model });
  };
  return (
    <Panel
      title={column.version === null ? `Column ${place}` : `Version ${column.version.version}`}
      actions={
        onRemove !== null && (
          <Button size="compact-xs" variant="subtle" onClick={onRemove} aria-label={`Remove column ${place}`}>
            Remove
          </Button>
        )
      }
    >
      <div className="stack">
        <div className={css.settings}>
          {prompt !== null && (
            <div className={css.model}>
              <VersionSelect prompt={prompt} value={column.version} onChange={choose} />
            </div>
          )}
          <NativeSelect
            className={css.model}
            label="Model"
            value={column.model}
            data={models.map(({ id, priced }) => ({ value: id, label: priced ? id : `${id} (no price)` }))}
            onChange={({ currentTarget }) => onChange({ ...column, model: currentTarget.value })}
          />
          <NumberInput
            label="Temperature"
            placeholder="default"
            min={0}
            max={2}
            step={0.1}
            value={column.temperature}
            onChange={(value) => onChange({ ...column, temperature: asNumber(value) })}
          />
          <NumberInput
            label="Output tokens"
            placeholder="2048"
            min={1}
            max={200_000}
            allowDecimal={false}
            value={column.maxOutputTokens}
            onChange={(value) => onChange({ ...column, maxOutputTokens: asNumber(value) })}
          />
        </div>
        {run === undefined ? <p className="dim">Run to see an answer</p> : <RunResult run={run} />}
      </div>
    </Panel>
  );
}
