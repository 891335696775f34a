import { TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { partsOf, renderPrompt, variablesOf } from '../../../lib/prompts/fill-template.ts';
import { TemplateError } from '../../../lib/prompts/parse-template.ts';
import type { Draft } from './draft.ts';
import css from './prompts.module.css';

type Shown = Pick<Draft, 'type' | 'template' | 'messages'>;

/** The variables of a text with fields to try them, and the text with their values. Includes stay as they are written. */
export function Preview({ draft }: { readonly draft: Shown }): JSX.Element {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { type, template, messages } = draft;
  const body = type === 'text' ? { template } : { messages };
  try {
    const parts = partsOf(body).flat();
    const names = variablesOf(parts);
    const hasIncludes = parts.some(({ kind }) => kind === 'include');
    const filled = Object.fromEntries(names.map((name) => [name, values[name] || `{{${name}}}`]));
    const rendered = hasIncludes ? null : renderPrompt(body, filled);
    return (
      <details className={css.preview}>
        <summary>{names.length === 0 ? 'No variables' : `Variables: ${names.join(', ')}`} · Preview</summary>
        <div className="form">
          {names.map((name) => (
            <TextInput
              key={name}
              size="xs"
              label={name}
              value={values[name] ?? ''}
              onChange={({ currentTarget: { value } }) =>
                setValues((before) => ({ ...before, [name]: value }))
              }
            />
          ))}
          {rendered === null ? (
            <p className="dim">Includes are resolved when the prompt is fetched.</p>
          ) : typeof rendered === 'string' ? (
            <pre className={css.text}>{rendered}</pre>
          ) : (
            rendered.map(({ role, content }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place
              <div key={i}>
                <span className="dim">{role}</span>
                <pre className={css.text}>{content}</pre>
              </div>
            ))
          )}
        </div>
      </details>
    );
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return (
      <p role="status" className="bad">
        {error.message}
      </p>
    );
  }
}
