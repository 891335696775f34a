import type { Effect } from '../../../src/db/effects.ts';
import { conflict } from '../../../src/errors.ts';

/** The table in which `note` writes. It is there before: an effect is opened in the transaction of its first call. */
export const NOTES_TABLE =
  'CREATE TABLE IF NOT EXISTS conformance_notes (no INTEGER PRIMARY KEY, json TEXT NOT NULL)';

const note: Effect<string, object, string> = {
  name: 'conformance.note',
  open(connection) {
    const insert = connection.prepare('INSERT INTO conformance_notes (json) VALUES (?)');
    return {
      apply(text, outcome) {
        insert.run([JSON.stringify([text, outcome])]);
        return text;
      },
    };
  },
};

const refuse: Effect<null, object, never> = {
  name: 'conformance.refuse',
  open: () => ({
    apply() {
      throw conflict('refused by an effect');
    },
  }),
};

/** The effects of the suite as the libSQL store runs them. */
export const conformanceEffects: readonly Effect[] = [note as Effect, refuse as Effect];
