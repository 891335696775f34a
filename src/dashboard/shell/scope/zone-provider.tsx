import { useQuery } from '@tanstack/react-query';
import type { JSX, ReactNode } from 'react';
import { BROWSER_ZONE, isTimeZone } from '../../../lib/time-zone.ts';
import { UTC, type Zone } from '../../ui/format.ts';
import { apiQuery } from '../api.ts';
import { meApi } from '../member.ts';
import { ZoneContext } from './scope.ts';

/** Tells all pages which zone the signed-in person chose, once that is known. */
export function ZoneProvider({ children }: { children: ReactNode }): JSX.Element {
  const { data } = useQuery({ ...apiQuery(meApi, {}), enabled: false });
  return <ZoneContext value={toZone(data?.user.timeZone ?? UTC)}>{children}</ZoneContext>;
}

/** The zone that a preference stands for. A name that this browser does not know is UTC. */
function toZone(chosen: string): Zone {
  const name = chosen === BROWSER_ZONE ? browserZone() : chosen;
  return isTimeZone(name) ? name : UTC;
}

/** The zone of this browser; privacy settings may hide it. */
export const browserZone = (): Zone => Intl.DateTimeFormat().resolvedOptions().timeZone ?? UTC;
