import { Textarea } from '@mantine/core';
import { type JSX, useState } from 'react';
import { MADE_LISTS, makeDocument } from '../../../dashboard/shell/ask/make-document.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { DraftDocument } from '../draft/answer-documents.ts';

const NOUNS = { alert: 'alert', budget: 'budget', view: 'saved view', price: 'custom price' } as const;

type Props = {
  readonly draft: DraftDocument;
  readonly onClose: () => void;
  /** After it was made. */
  readonly onDone?: () => void;
};

/** Shows exactly what will be made, to be changed and confirmed. The audit log has it as an action of the copilot. */
export function DocumentDialog({ draft: { as, body }, onClose, onDone }: Props): JSX.Element {
  const projectId = useProjectId();
  const { organizationId } = useMember();
  const [text, setText] = useState(JSON.stringify(body, null, 2));
  const make = useChange<unknown>({
    failed: `The ${NOUNS[as]} was not created`,
    inForm: true,
    done: `The ${NOUNS[as]} was created`,
    stale: MADE_LISTS,
    send: (document) => makeDocument(as, { projectId, organizationId }, document),
  });
  const form = useSubmit(async () => {
    await make.mutateAsync(parsed(text));
    onDone?.();
    onClose();
  });
  return (
    <FormDialog title={`New ${NOUNS[as]}`} form={form} submit={`Create ${NOUNS[as]}`} onClose={onClose}>
      <p className="dim">
        This is what will be created. Change it here if you like; it takes effect when you confirm.
      </p>
      <Textarea
        label={`Document of the ${NOUNS[as]}`}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
        autosize
        minRows={6}
        maxRows={18}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        data-autofocus
      />
    </FormDialog>
  );
}

/** @throws Error for what is no JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The document is not valid JSON');
  }
}
