import { useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import type { ModelsReply } from '../../core/models/contract.ts';
import type { ApiError } from '../../dashboard/shell/api-error.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { readTab, writeTab } from '../../dashboard/shell/tab-memory.ts';
import { type Column, type Draft, EMPTY_DRAFT, isUntouched, newColumn, newKey } from './draft.ts';
import { findNamed } from './from-config.ts';
import { type Loaded, useLoadedDraft } from './use-loaded-draft.ts';

/** Rises when what is kept changes its form: then an older one is not read. */
const FORM = 1;

/** What is edited. `source`: the entry of the browser's history whose call or version was opened; empty for none. */
type Edited = {
  readonly source: string;
  readonly draft: Draft;
  readonly columns: readonly Column[];
};
type Kept = Edited & { readonly form: number };

export type EditedDraft = Pick<Edited, 'draft' | 'columns'> & {
  readonly setDraft: (draft: Draft) => void;
  readonly setColumns: (columns: readonly Column[]) => void;
  /** Whether nothing was written or chosen yet. */
  readonly isUntouched: boolean;
  /** Whether the draft outlasts a reload of the page in this tab. */
  readonly isKept: boolean;
  readonly startOver: () => void;
  /** Why what the address names could not be opened. */
  readonly error: ApiError | null;
};

/** The draft of this tab and project: what the address names, or what was edited before the page was left or loaded again. */
export function useDraft(models: ModelsReply['models']): EditedDraft {
  const { projectId, search } = useScope('playground');
  const { userId } = useMember();
  const setSearch = useSetSearch<'playground'>();
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? 'first' });
  const source = search.event === undefined && search.prompt === undefined ? '' : entry;
  const name = `playground ${projectId}`;
  const first = models[0]?.id ?? '';
  const [edited, setEdited] = useState<Edited>(
    () => restored(readTab(name, userId), source, models) ?? blank(first),
  );
  const [isKept, setIsKept] = useState(true);

  const onLoad = useCallback(
    (loaded: Loaded): void =>
      setEdited(({ draft, columns: [column] }) => ({
        source,
        draft: { ...draft, ...loaded.draft },
        columns: [
          {
            ...newColumn(findNamed(models, loaded.model) ?? column?.model ?? first),
            ...loaded.column,
          },
        ],
      })),
    [models, first, source],
  );
  const { error } = useLoadedDraft(onLoad, source !== edited.source);
  useEffect(() => {
    if (source === '') setEdited((before) => (before.source === '' ? before : { ...before, source }));
  }, [source]);

  const untouched = isUntouched(edited.draft, edited.columns);
  useEffect(() => {
    const kept: Kept | null = untouched ? null : { form: FORM, ...edited };
    setIsKept(writeTab(name, userId, kept));
  }, [name, userId, untouched, edited]);

  return {
    ...edited,
    setDraft: (draft) => setEdited((before) => ({ ...before, draft })),
    setColumns: (columns) => setEdited((before) => ({ ...before, columns })),
    isUntouched: untouched,
    isKept,
    startOver: () => {
      setEdited({ ...blank(first), source });
      setSearch({
        ...{ prompt: undefined, version: undefined, label: undefined },
        ...{ event: undefined, at: undefined },
      });
    },
    error,
  };
}

const blank = (model: string): Edited => ({ source: '', draft: EMPTY_DRAFT, columns: [newColumn(model)] });

/** What was kept, with keys of its own and models that the server has; null if the address names something else. */
function restored(value: unknown, source: string, models: ModelsReply['models']): Edited | null {
  const kept = value as Kept | null;
  if (kept === null || kept.form !== FORM || (source !== '' && kept.source !== source)) return null;
  const { draft, columns } = kept;
  const modelOf = ({ model }: Column): string => findNamed(models, model) ?? models[0]?.id ?? '';
  return {
    source,
    draft: { ...draft, messages: draft.messages.map((message) => ({ ...message, key: newKey() })) },
    columns: columns.map((column) => ({ ...column, key: newKey(), model: modelOf(column) })),
  };
}
