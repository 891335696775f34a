import type { JSX } from 'react';
import type { AlertDraft, AlertMeasure } from '../../../features/alerts/contract.ts';
import { termOf } from '../../../lib/filter-terms.ts';
import { Icon } from '../../ui/icons.tsx';
import { useMember } from '../member.ts';
import { ProjectLink } from '../project-link.tsx';
import { useScope } from '../scope/scope.ts';
import css from './create-alert.module.css';

type Props = {
  readonly measure: AlertMeasure;
  readonly groupBy?: NonNullable<AlertDraft['groupBy']> | undefined;
  /** A field of the filter language and its value, which narrow the rule beside the filter of the page. */
  readonly only?: readonly [field: string, value: string] | undefined;
  /** What is watched, for the label, such as `gpt-4o`. */
  readonly of?: string | undefined;
};

/** A link to a new alert on what a chart or a row shows, with its filters; nothing for viewers. */
export function CreateAlert({ measure, groupBy, only, of }: Props): JSX.Element | null {
  const { may } = useMember();
  const { search } = useScope();
  if (!may('member')) return null;
  const label = of === undefined ? 'Create alert' : `Create alert on ${of}`;
  const terms = [search.filter, only === undefined ? undefined : termOf(only[0], only[1], false)];
  const filter = terms.filter((term) => term !== undefined).join(' ');
  return (
    <ProjectLink
      page="alerts/new"
      search={{ measure, groupBy, filter: filter === '' ? undefined : filter }}
      className={css.create}
      title={label}
    >
      <Icon name="alerts" size={15} />
      <span className="sr">Create alert</span>
    </ProjectLink>
  );
}
