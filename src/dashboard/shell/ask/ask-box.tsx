import { Button, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent, JSX } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { pagePath, searchFrom } from '../project-link.tsx';
import { useProjectId } from '../scope/scope.ts';
import type { SearchOf } from '../scope/search.ts';

/** Longest question in characters. */
const MAX_QUESTION = 500;

/** Asks a question about figures: the page Ask answers it. */
export function AskBox(): JSX.Element {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const ask = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const q = String(new FormData(event.currentTarget).get('q') ?? '').trim();
    if (q !== '')
      void navigate({
        to: pagePath(projectId, 'ask'),
        search: (before) => searchFrom<SearchOf<'ask'>>(before, { q }),
      });
  };
  return (
    <form className="inline-form" onSubmit={ask}>
      <TextInput
        name="q"
        aria-label="Ask about figures"
        placeholder="Which model cost the most last week?"
        maxLength={MAX_QUESTION}
        leftSection={<Icon name="sessions" size={15} />}
        style={{ flex: '1 1 240px' }}
      />
      <Button type="submit" variant="default">
        Ask
      </Button>
    </form>
  );
}
