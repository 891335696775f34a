import { Select } from '@mantine/core';
import { type JSX, useState } from 'react';
import type { Me } from '../../../core/auth/contract.ts';
import type { putPreferencesEndpoint } from '../../../core/auth/preferences/contract.ts';
import { BROWSER_ZONE } from '../../../lib/time-zone.ts';
import { offsetText, UTC, type Zone } from '../../ui/format.ts';
import { apiQuery, queryClient, refresh, send, useApi } from '../api.ts';
import { endpointOf } from '../endpoint.ts';
import { meApi } from '../member.ts';
import { useNotify } from '../notices/notices.tsx';
import { useZone } from './scope.ts';
import { zoneNames } from './zone-names.ts';
import { browserZone } from './zone-provider.tsx';

const preferencesApi = endpointOf<typeof putPreferencesEndpoint>('PUT /v1/auth/preferences');

const offeredNames = (chosen: string): readonly string[] => {
  const names = zoneNames().filter((name) => name !== UTC);
  return names.includes(chosen) || [UTC, BROWSER_ZONE].includes(chosen) ? names : [chosen, ...names];
};

/** In which time zone the signed-in person sees times: at once, on all pages and in all browsers. */
export function ZoneSelect(): JSX.Element {
  const chosen = useApi(meApi, {}).data?.user.timeZone ?? UTC;
  const zone = useZone();
  const choose = useChooseZone();
  const [names] = useState(() => offeredNames(chosen));
  return (
    <Select
      label="Time zone"
      description={describe(zone)}
      inputWrapperOrder={['label', 'input', 'description']}
      value={chosen}
      onChange={(name) => name !== null && void choose(name)}
      allowDeselect={false}
      searchable
      onFocus={(event) => event.currentTarget.select()}
      limit={200}
      nothingFoundMessage="No zone has this name"
      comboboxProps={{ withinPortal: false }}
      data={[
        { value: UTC, label: UTC },
        { value: BROWSER_ZONE, label: `Browser: ${browserZone()}` },
        ...names.map((name) => ({ value: name, label: name.replaceAll('_', ' ') })),
      ]}
    />
  );
}

const describe = (zone: Zone): string =>
  zone === UTC
    ? 'Days begin at midnight UTC, as in budgets and statements.'
    : `${offsetText(Date.now(), zone)} now. Budgets and statements keep UTC.`;

/** Shows the zone at once and stores it; if it can't be stored, the one before comes back. */
function useChooseZone(): (timeZone: string) => Promise<void> {
  const notify = useNotify();
  return async (timeZone) => {
    const { queryKey } = apiQuery(meApi, {});
    queryClient.setQueryData<Me>(queryKey, (me) => me && { ...me, user: { ...me.user, timeZone } });
    try {
      await send(preferencesApi, { body: { timeZone } });
    } catch (error) {
      notify({
        failed: 'The time zone was not changed',
        message: error instanceof Error ? error.message : '',
      });
      await refresh(meApi);
    }
  };
}
