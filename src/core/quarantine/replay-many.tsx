import { Textarea, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { refresh, send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useNotify } from '../../dashboard/shell/notices/notices.tsx';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { FormDialog } from '../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import { numberText } from '../../lib/figures.ts';
import type { listEventsEndpoint } from '../events/list/contract.ts';
import type {
  listQuarantineEndpoint,
  QuarantineReason,
  quarantineReasonsEndpoint,
  replayManyEndpoint,
} from './contract.ts';
import { parseObject } from './parse-object.ts';

const replayManyApi = endpointOf<typeof replayManyEndpoint>('POST /v1/quarantine/replay');
const reasonsApi = endpointOf<typeof quarantineReasonsEndpoint>('GET /v1/quarantine/reasons');
const listQuarantineApi = endpointOf<typeof listQuarantineEndpoint>('GET /v1/quarantine');
const listEventsApi = endpointOf<typeof listEventsEndpoint>('GET /v1/events');

/** `from=to`, separated by commas or spaces, as fields to rename. */
function renamesOf(text: string): Record<string, string> {
  const pairs = text.split(/[\s,]+/).filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => {
      const [from = '', to = '', ...rest] = pair.split('=');
      if (from === '' || to === '' || rest.length > 0) throw new Error(`${pair}: write old=new`);
      return [from, to];
    }),
  );
}

/** Corrects all events of a reason in the same way and records them. Those that are still refused stay. */
export function ReplayMany({
  reason: { reason, replayable, upTo },
  onClose,
}: {
  reason: QuarantineReason;
  onClose: () => void;
}): JSX.Element {
  const projectId = useProjectId();
  const notify = useNotify();
  const [done, setDone] = useState(0);
  const form = useSubmit(async ({ rename = '', remove = '', set = '' }) => {
    const values = set.trim() === '' ? {} : parseObject(set);
    if (values === null) throw new Error('Fields to set: this is not a JSON object');
    const correction = {
      rename: renamesOf(rename),
      remove: remove.split(/[\s,]+/).filter(Boolean),
      set: values,
    };
    let [recorded, refused] = [0, 0];
    let why = '';
    try {
      for (let after: string | undefined; ; ) {
        const body = { reason, upTo, after, correction };
        const reply = await send(replayManyApi, { query: { projectId }, body });
        recorded += reply.recorded;
        refused += reply.refused.reduce((sum, { lines }) => sum + lines, 0);
        why = reply.refused[0]?.reason ?? why;
        setDone(recorded);
        if (reply.next === null) break;
        after = reply.next;
      }
    } finally {
      await refresh(listQuarantineApi, reasonsApi, listEventsApi);
    }
    if (refused > 0)
      throw new Error(`${numberText(recorded)} recorded; ${numberText(refused)} are still refused: ${why}`);
    notify({ message: `${numberText(recorded)} ${recorded === 1 ? 'event is' : 'events are'} recorded` });
    onClose();
  });
  return (
    <FormDialog
      title={`Correct ${numberText(replayable)} ${replayable === 1 ? 'event' : 'events'}`}
      form={form}
      submit={form.busy && done > 0 ? `${numberText(done)} recorded` : 'Correct and record'}
      onClose={onClose}
    >
      <p className="dim any-break">
        Refused because: {reason}. The same change is made to each event; events that are still refused stay
        here.
      </p>
      <TextInput label="Rename fields" name="rename" placeholder="inputs=input_tokens" data-autofocus />
      <TextInput label="Remove fields" name="remove" placeholder="latency" />
      <Textarea
        label="Set fields"
        name="set"
        placeholder='{"model": "gpt-4o"}'
        autosize
        minRows={2}
        classNames={{ input: 'mono' }}
      />
    </FormDialog>
  );
}
