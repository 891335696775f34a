import { useLocalStorage } from '@mantine/hooks';
import { type JSX, useEffect, useId, useRef } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { useFiringCount } from '../alerts/use-firing-count.ts';
import css from './navigation.module.css';
import type { Group } from './navigation-entries.ts';
import { PageLink } from './page-link.tsx';
import { QuarantineCount } from './quarantine-count.tsx';
import { useNavigation } from './use-navigation.ts';

type Props = {
  /** Closes what the list is shown in. */
  readonly onChoose?: (() => void) | undefined;
};

/** The pages of a project in groups. Which groups are closed is kept in this browser. */
export function Navigation({ onChoose }: Props): JSX.Element {
  const { groups, current } = useNavigation();
  const list = useRef<HTMLElement>(null);
  // On a low screen the entry of the open page can be below the edge.
  useEffect(() => {
    if (current !== undefined)
      list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const [closed, setClosed] = useLocalStorage<readonly string[]>({
    key: 'spanledger.closed-groups',
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const toggle = (title: string): void =>
    setClosed(closed.includes(title) ? closed.filter((one) => one !== title) : [...closed, title]);
  return (
    <nav ref={list} aria-label="Pages" className={css.nav}>
      {groups.map((group) => (
        <NavigationGroup
          key={group.title}
          group={group}
          current={current}
          open={!closed.includes(group.title)}
          onToggle={() => toggle(group.title)}
          onChoose={onChoose}
        />
      ))}
    </nav>
  );
}

type GroupProps = Props & {
  readonly group: Group;
  readonly current: string | undefined;
  readonly open: boolean;
  readonly onToggle: () => void;
};

/** One group with its heading, which closes it; a closed one shows only the page that is open. */
function NavigationGroup({ group, current, open, onToggle, onChoose }: GroupProps): JSX.Element {
  const id = useId();
  const shown = open ? group.entries : group.entries.filter(({ page }) => page === current);
  return (
    <div className={css.group}>
      <button
        type="button"
        className={css.heading}
        aria-expanded={open}
        aria-controls={id}
        onClick={onToggle}
      >
        {group.title}
        <span className={open ? undefined : 'folded'}>
          <Icon name="chevron" size={12} />
        </span>
      </button>
      <ul id={id} aria-label={group.title}>
        {shown.map(({ page, label, icon }) => (
          <li key={page}>
            <PageLink page={page} current={page === current} onChoose={onChoose} className={css.navLink}>
              <Icon name={icon} />
              {label}
              {page === 'alerts' && <FiringBadge />}
              {page === 'quarantine' && <QuarantineCount />}
            </PageLink>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How many alerts fire; nothing while none does. */
function FiringBadge(): JSX.Element | null {
  const { critical, all } = useFiringCount();
  if (all === 0) return null;
  return (
    <span className={`badge ${critical > 0 ? 'bad' : 'warn'} ${css.count}`}>
      {all}
      <span className="sr"> firing</span>
    </span>
  );
}

/** The one entry for all settings: it opens the first of them. */
export function SettingsEntry({ onChoose }: Props): JSX.Element {
  const { isInSettings } = useNavigation();
  return (
    <PageLink page="project" current={isInSettings} onChoose={onChoose} className={css.navLink}>
      <Icon name="settings" />
      Settings
    </PageLink>
  );
}

/** The pages of the settings, beside the one that is open; above it on a narrow screen. */
export function SettingsNavigation(): JSX.Element {
  const { settings, current } = useNavigation();
  const list = useRef<HTMLElement>(null);
  // On a narrow screen the entry of the open page can be beyond the edge.
  useEffect(() => {
    if (current !== undefined)
      list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav ref={list} aria-label="Settings" className={css.settings}>
      {settings.map(({ title, entries }) => (
        <div key={title} className={css.settingsGroup}>
          <span className={css.settingsTitle}>{title}</span>
          {entries.map(({ page, label }) => (
            <PageLink key={page} page={page} current={page === current} className={css.navLink}>
              {label}
            </PageLink>
          ))}
        </div>
      ))}
    </nav>
  );
}
