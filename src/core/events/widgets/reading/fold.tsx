import { type JSX, type ReactNode, useState } from 'react';
import { Icon } from '../../../../dashboard/ui/icons.tsx';
import css from './reading.module.css';

type Props = {
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  readonly open?: boolean;
  readonly className?: string | undefined;
  /** Drawn when it is open. */
  readonly children: () => ReactNode;
};

/** Something that is opened by a click on its title. Closed, it costs nothing. */
export function Fold({ title, detail, open = false, className, children }: Props): JSX.Element {
  const [isOpen, setOpen] = useState(open);
  return (
    <div className={className}>
      <button type="button" className={css.foldTitle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className={isOpen ? undefined : 'folded'}>
          <Icon name="chevron" size={12} />
        </span>
        {title}
        {detail !== undefined && <span className="dim clip">{detail}</span>}
      </button>
      {isOpen && children()}
    </div>
  );
}
