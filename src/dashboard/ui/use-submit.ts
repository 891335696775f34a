import { type FormEvent, useRef, useState } from 'react';

type Submit = {
  readonly busy: boolean;
  /** Why the last attempt failed; null while there is nothing to say. */
  readonly failure: string | null;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
};

/** A form that is sent once at a time, and emptied after a success if it `clears`: `send` gets its fields by name, and what it throws is shown. */
export function useSubmit(
  send: (fields: Record<string, string>) => Promise<void>,
  { clears = false }: { readonly clears?: boolean } = {},
): Submit {
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // A second Enter can come before the button shows that the form is being sent.
  const isSending = useRef(false);
  const run = async (form: HTMLFormElement): Promise<void> => {
    const fields = Object.fromEntries(
      [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
    if (isSending.current) return;
    isSending.current = true;
    setBusy(true);
    setFailure(null);
    try {
      await send(fields);
      if (clears) form.reset();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  };
  return {
    busy,
    failure,
    onSubmit: (event) => {
      event.preventDefault();
      void run(event.currentTarget);
    },
  };
}
