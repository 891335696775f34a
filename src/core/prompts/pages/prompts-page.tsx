import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type JSX, lazy, Suspense, useState } from 'react';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { Paged } from '../../../dashboard/shell/paged.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { usePages } from '../../../dashboard/shell/use-pages.ts';
import { Notice } from '../../../dashboard/ui/states.tsx';
import { countText } from '../../../lib/figures.ts';
import { DeletedNote } from '../../events/widgets/deleted-note.tsx';
import type { PromptsPage as Listing } from '../contract.ts';
import { PromptTable } from './prompt-table.tsx';
import { listPromptsApi } from './prompts-api.ts';
import { ProtectedLabels } from './protected-labels.tsx';

const NewPrompt = lazy(async () => ({ default: (await import('./prompt-editor.tsx')).NewPrompt }));
const FIGURE_DAYS = 30;

/** The prompts of a project, in folders. */
export function PromptsPage(): JSX.Element {
  const projectId = useProjectId();
  const { search } = useScope('prompts');
  const setSearch = useSetSearch<'prompts'>();
  const { may } = useMember();
  const [isNew, setIsNew] = useState(false);
  const { q, tag, folder = '' } = search;
  const isSearch = q !== undefined || tag !== undefined;
  const query = { projectId, q, tag, figureDays: FIGURE_DAYS, ...(isSearch ? {} : { folder }) };
  const pages = usePages(listPromptsApi, { query });
  const first = pages.data?.pages[0];
  const add = may('member') && <Button onClick={() => setIsNew(true)}>New prompt</Button>;
  const isEmpty = first !== undefined && !isSearch && folder === '' && isNothing(first);
  return (
    <Page title="Prompts" actions={isEmpty ? undefined : add} scoped={false}>
      {!isEmpty && (
        <div className="inline-form">
          <TextInput
            size="xs"
            aria-label="Search prompts"
            placeholder="Name, tag or text"
            defaultValue={q ?? ''}
            onChange={({ currentTarget: { value } }) => setSearch({ q: value.trim() || undefined })}
          />
          {(first?.tags.length ?? 0) > 0 && (
            <NativeSelect
              size="xs"
              aria-label="Tag"
              data={[
                { value: '', label: 'All tags' },
                ...(first?.tags ?? []).map((value) => ({ value, label: value })),
              ]}
              value={tag ?? ''}
              onChange={({ currentTarget: { value } }) => setSearch({ tag: value || undefined })}
            />
          )}
        </div>
      )}
      {!isSearch && <Folders folder={folder} listing={first} />}
      <DeletedNote before={isEmpty ? undefined : first?.deletedBefore} of="The figures of prompts" />
      <Paged
        pages={pages}
        rowsOf={({ prompts }) => prompts}
        more="More prompts"
        empty={
          isEmpty ? (
            <Notice icon="log" title="No prompts yet" action={add}>
              Keep the texts of your prompts here, publish versions by moving a label, and see what each
              version costs. Applications fetch them with the SDK. See the{' '}
              <a href="/docs/prompts">documentation of prompts</a>.
            </Notice>
          ) : (
            <Notice title={isSearch ? 'No prompt matches' : 'No prompts directly in this folder'} />
          )
        }
      >
        {(prompts) => <PromptTable prompts={prompts} folder={isSearch ? '' : folder} />}
      </Paged>
      {!isEmpty && folder === '' && !isSearch && <ProtectedLabels />}
      {!isEmpty && <p className="dim">Calls, cost and errors are of the last {FIGURE_DAYS} days.</p>}
      {isNew && (
        <Suspense>
          <NewPrompt folder={folder} onClose={() => setIsNew(false)} />
        </Suspense>
      )}
    </Page>
  );
}

const isNothing = ({ prompts, folders }: Listing): boolean => prompts.length === 0 && folders.length === 0;

/** Where one is, and the folders below. */
function Folders({ folder, listing }: { folder: string; listing: Listing | undefined }): JSX.Element | null {
  const steps = folder === '' ? [] : folder.split('/');
  const below = listing?.folders ?? [];
  if (steps.length === 0 && below.length === 0) return null;
  return (
    <nav aria-label="Folders" className="inline-form">
      {steps.length > 0 && (
        <ProjectLink page="prompts" search={{ folder: undefined }}>
          All
        </ProjectLink>
      )}
      {steps.map((step, i) => {
        const path = steps.slice(0, i + 1).join('/');
        return (
          <span key={path}>
            <span className="dim">/ </span>
            {i === steps.length - 1 ? (
              step
            ) : (
              <ProjectLink page="prompts" search={{ folder: path }}>
                {step}
              </ProjectLink>
            )}
          </span>
        );
      })}
      {below.map(({ path, prompts }) => (
        <ProjectLink key={path} page="prompts" search={{ folder: path }} title={countText(prompts, 'prompt')}>
          {path.slice(folder === '' ? 0 : folder.length + 1)}/
        </ProjectLink>
      ))}
    </nav>
  );
}
