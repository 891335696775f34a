import { Checkbox, NativeSelect } from '@mantine/core';
import type { JSX } from 'react';
import { ChannelChoice } from '../../../core/deliveries/channels/channel-choice.tsx';
import type { FieldsProps } from './rule-form.ts';
import { minutesText } from './rule-words.ts';

/** Minutes after which people are notified again. */
const AGAIN = [15, 30, 60, 240, 1_440] as const;

/** Who is told, and how often. */
export function NotifyFields({ form, set }: FieldsProps): JSX.Element {
  const { channelIds = [], renotifyMinutes } = form;
  const choices = [...new Set([...AGAIN.map(String), renotifyMinutes])].filter((one) => one !== '');
  return (
    <div className="form">
      <ChannelChoice
        label="Channels"
        chosen={channelIds}
        onChange={(chosen) => set({ channelIds: chosen })}
      />
      {channelIds.length > 0 && (
        <NativeSelect
          label="While it fires, notify again"
          value={renotifyMinutes}
          onChange={({ currentTarget: { value } }) => set({ renotifyMinutes: value })}
          data={[
            { value: '', label: 'Never' },
            ...choices.map((value) => ({ value, label: `Every ${minutesText(Number(value))}` })),
          ]}
        />
      )}
      <Checkbox
        size="xs"
        label="Open an incident, which then notifies instead"
        checked={form.opensIncident === true}
        onChange={({ currentTarget: { checked } }) => set({ opensIncident: checked })}
      />
      <Checkbox
        size="xs"
        label="Enabled"
        checked={form.enabled !== false}
        onChange={({ currentTarget: { checked } }) => set({ enabled: checked })}
      />
    </div>
  );
}
