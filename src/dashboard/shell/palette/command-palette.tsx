import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useEffect, useLayoutEffect, useState } from 'react';
import type { Me } from '../../../core/auth/contract.ts';
import type { getViewsEndpoint } from '../../../core/views/contract.ts';
import { Icon } from '../../ui/icons.tsx';
import { useApi } from '../api.ts';
import { endpointOf } from '../endpoint.ts';
import { pagePath, searchFrom } from '../project-link.tsx';
import { useProjectId } from '../scope/scope.ts';
import { fuzzyScore } from './fuzzy.ts';
import css from './palette.module.css';
import { useRecent } from './recent.ts';
import { type Found, foundOf, type Target } from './targets.ts';
import { type Command, useCommands } from './use-commands.ts';
import { useServerSearch } from './use-search.ts';

const viewsApi = endpointOf<typeof getViewsEndpoint>('GET /v1/views');

/** Matches from this score on come before what the server found. */
const STRONG = 300;
/** Most commands of a group while something is typed. */
const MOST = 6;

type Action = SpotlightActionGroupData['actions'][number];

/**
 * Everything that can be reached by typing: what the server finds by id or name, pages, actions, views, time ranges,
 * projects; without a text what was opened last.
 * @param asked how often it was asked for: it opens each time
 */
export function CommandPalette({ me, asked }: { me: Me; asked: number }): JSX.Element {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const text = query.trim();
  const { recent, note } = useRecent(projectId);
  const { found, busy, error, retry } = useServerSearch(projectId, text);
  const readViews = useApi(viewsApi, { query: { projectId } });
  const views = readViews.data?.views ?? [];
  const failure = error ?? (readViews.data === undefined ? readViews.error : null);
  useEffect(() => {
    if (asked > 0) spotlight.open();
  }, [asked]);
  // Before anything is painted, so that Enter never meets a list without a choice.
  useLayoutEffect(() => {
    if (text !== '') selectFirst();
  });
  const open = ({ page, params, search }: Target): void =>
    void navigate({
      to: pagePath(projectId, page, params),
      search: (before) => searchFrom(before, search),
    });
  const again = (): void => {
    if (error !== null) retry();
    if (readViews.error !== null) void readViews.refetch();
  };
  const commands = useCommands(me, open);
  const toAction = (one: Found): Action => ({
    id: one.id,
    label: one.label,
    description: one.hint,
    leftSection: <Icon name={one.icon} />,
    onClick: () => {
      note(one);
      open(one);
    },
  });
  const ofCommand = ({ id, label, hint, icon, run }: Command): Action => ({
    id,
    label,
    ...(hint !== undefined && { description: hint }),
    leftSection: <Icon name={icon} />,
    onClick: run,
  });
  const shownViews = views.map(
    ({ id, name, page, search }): Found => ({
      id: `view ${id}`,
      label: name,
      hint: `View of ${page}`,
      icon: 'views',
      page,
      search: { environment: undefined, ...search },
    }),
  );
  const groups =
    text === ''
      ? [
          { group: 'Recent', actions: recent.map(toAction) },
          ...groupsOf(
            commands.filter(({ group }) => group === 'Pages' || group === 'Actions'),
            ofCommand,
          ),
          { group: 'Views', actions: shownViews.map(toAction) },
        ]
      : matching(text, commands, ofCommand, {
          found: [
            ...(found?.results ?? []).map(foundOf).map(toAction),
            ...(failure === null ? [] : [searchAgain(failure.message, again)]),
          ],
          views: shownViews.filter(({ label }) => fuzzyScore(text, label) > 0).map(toAction),
          // While the server is searching it would be the first, and Enter would ask what was to be found.
          ask: busy ? [] : [askFor(text, () => open({ page: 'ask', search: { q: text } }))],
        });
  return (
    <Spotlight
      actions={groups.filter(({ actions }) => actions.length > 0)}
      filter={(_, actions) => actions}
      query={query}
      onQueryChange={setQuery}
      nothingFound={busy ? 'Searching…' : `Nothing found${whatIsMissing(found?.incomplete)}`}
      scrollable
      maxHeight={420}
      shortcut={null}
      classNames={{ action: css.action ?? '', actionDescription: css.description ?? '' }}
      attributes={{ content: { 'aria-label': 'Search' } }}
      searchProps={{
        placeholder: 'Find a page, model, user, session, id or action, or ask',
        'aria-label': 'Search',
        leftSection: <Icon name="search" />,
      }}
    />
  );
}

const askFor = (text: string, onClick: () => void): Action => ({
  id: 'ask',
  label: `Ask: ${text}`,
  description: 'Answers with figures of this project',
  leftSection: <Icon name="sessions" />,
  onClick,
});

/** Below what was found, where the search or the views failed. */
const searchAgain = (reason: string, onClick: () => void): Action => ({
  id: 'search again',
  label: 'The search failed. Try again',
  description: reason,
  leftSection: <Icon name="refresh" />,
  closeSpotlightOnTrigger: false,
  onClick,
});

/** The list selects its first entry when the text changes, but not when entries arrive later. */
function selectFirst(): void {
  const list = document.querySelector('[role="dialog"] .mantine-Spotlight-actionsList');
  if (list?.querySelector('[data-selected]') === null)
    list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
}

const whatIsMissing = (incomplete: readonly string[] = []): string =>
  incomplete.length === 0 ? '' : `; the search of some kinds took too long (${incomplete.join(', ')})`;

function groupsOf(
  commands: readonly Command[],
  toAction: (command: Command) => Action,
): SpotlightActionGroupData[] {
  return [...Map.groupBy(commands, ({ group }) => group)].map(([group, own]) => ({
    group,
    actions: own.map(toAction),
  }));
}

/** What matches a text: close matches of commands and views, what the server found, then the others. */
function matching(
  text: string,
  commands: readonly Command[],
  toAction: (command: Command) => Action,
  {
    found,
    views,
    ask,
  }: {
    readonly found: readonly Action[];
    readonly views: readonly Action[];
    readonly ask: readonly Action[];
  },
): SpotlightActionGroupData[] {
  const scored = commands
    .map((command) => ({ command, score: scoreOf(text, command) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  const ranked = (isStrong: boolean): SpotlightActionGroupData[] => {
    const own = scored.filter(({ score }) => score >= STRONG === isStrong).map(({ command }) => command);
    return groupsOf(own, toAction).map(({ group, actions }) => ({
      group: isStrong ? group : `Other ${group.toLowerCase()}`,
      actions: actions.slice(0, MOST),
    }));
  };
  return [
    ...ranked(true),
    { group: 'Views', actions: [...views] },
    { group: 'Found in this project', actions: [...found] },
    ...ranked(false),
    // A name is looked for, a sentence is asked.
    ...(/\s/.test(text) ? [{ group: 'Ask', actions: [...ask] }] : []),
  ];
}

/** Other words for a command count less than its name. */
const scoreOf = (text: string, { label, also, hint }: Command): number =>
  Math.max(fuzzyScore(text, label), fuzzyScore(text, `${label} ${also ?? ''} ${hint ?? ''}`) * 0.6);
