import type { Ctx } from '../../context.ts';
import {
  type AuditRow,
  FIRST_HASH,
  HASHED_COLUMNS,
  hashEntry,
  type LogPosition,
  readChainEnd,
  readEntries,
  readEntryHash,
} from '../../core/audit/index.ts';
import type { ReadOp } from '../../db/reader.ts';
import type { VerifyReply } from './contract.ts';

type Problem = VerifyReply['problems'][number];
/** Progress of a verification: the last entry. */
type Position = LogPosition;
type Step = {
  readonly checked: number;
  readonly at: Position;
  readonly done: boolean;
  readonly problems: Problem[];
};

const PAGE = 2_000;
const MAX_PROBLEMS = 20;

/** Verifies a page of entries after a position against it and each other. */
export const verifyStep: ReadOp<Position, Step> = {
  name: 'audit.verify_step',
  run(reader, from) {
    const rows = readEntries(reader, [['seq > ?', from.seq]], { order: 'oldest first', limit: PAGE });
    let at = from;
    const problems: Problem[] = [];
    for (const row of rows) {
      problems.push(...problemsOf(row, at));
      at = { seq: row.seq, hash: row.hash };
    }
    return { checked: rows.length, at, done: rows.length < PAGE, problems: problems.slice(0, MAX_PROBLEMS) };
  },
};

function problemsOf(row: AuditRow, previous: Position): Problem[] {
  const problems: string[] = [];
  if (row.seq !== previous.seq + 1)
    problems.push(`entries ${previous.seq + 1} to ${row.seq - 1} are missing`);
  else if (row.previous_hash !== previous.hash)
    problems.push('does not follow the previous entry: one of the two was inserted or changed');
  if (hashEntry(HASHED_COLUMNS.map((column) => row[column])) !== row.hash)
    problems.push('was changed: its hash does not match');
  return problems.map((problem) => ({ seq: row.seq, problem }));
}

/** The recorded last entry of the chain, and the hash of one entry. */
export const readHead: ReadOp<{ seq: number | null }, { head: Position | null; hash: string | null }> = {
  name: 'audit.head',
  run: (reader, { seq }) => ({
    head: readChainEnd(reader),
    hash: readEntryHash(reader, seq),
  }),
};

/**
 * Verifies a whole chain: each entry's hash, the order, the last entry against the recorded one and, if given, that a
 * previously noted entry is still in it. It detects every edit, removal and reordering, unless all hashes and the
 * recorded last entry were recomputed; only a noted entry detects that.
 */
export async function verifyChain(
  ctx: Ctx,
  organizationId: string,
  noted: Position | null = null,
): Promise<VerifyReply> {
  const scope = { projects: [], organizationId };
  const read = async <I, O>(op: ReadOp<I, O>, input: I): Promise<O> =>
    (await ctx.db.read(op, scope, input)).parse();
  // Read the last entry first; entries written meanwhile come after it.
  const { head, hash } = await read(readHead, { seq: noted?.seq ?? null });
  const problems: Problem[] = [];
  let entries = 0;
  let at: Position = { seq: 0, hash: FIRST_HASH };
  let recorded: string | null = null;
  for (let done = false; !done; ) {
    const step: Step = await read(verifyStep, at);
    problems.push(...step.problems);
    entries += step.checked;
    at = step.at;
    done = step.done;
    await Bun.sleep(0);
  }
  if (head !== null)
    recorded = head.seq === at.seq ? at.hash : (await read(readHead, { seq: head.seq })).hash;
  problems.push(...problemsOfEnd({ head, at, recorded }));
  if (noted !== null && hash !== noted.hash)
    problems.push({ seq: noted.seq, problem: 'does not have the hash that was noted' });
  const shown = problems.slice(0, MAX_PROBLEMS);
  return { organizationId, ok: problems.length === 0, entries, head, problems: shown };
}

/** `at` is the last existing entry; `recorded` is the hash of the entry that is recorded as the last. */
function problemsOfEnd({
  head,
  at,
  recorded,
}: {
  head: Position | null;
  at: Position;
  recorded: string | null;
}): Problem[] {
  if (head === null)
    return at.seq === 0 ? [] : [{ seq: at.seq, problem: 'the recorded last entry is missing' }];
  if (at.seq < head.seq)
    return [{ seq: head.seq, problem: `entries ${at.seq + 1} to ${head.seq} were removed from the end` }];
  return recorded === head.hash ? [] : [{ seq: head.seq, problem: 'is not the recorded last entry' }];
}
