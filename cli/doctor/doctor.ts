import type { z } from 'zod';
import type { examinedSchema, Finding } from '../../src/features/system/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import type { Tone } from '../format.ts';
import { EXIT } from '../user-error.ts';

type Examined = z.infer<typeof examinedSchema> & { readonly serving: boolean };

/** Of the names of the checks. */
const WIDTH = 16;

const MARKS: Readonly<Record<Finding['level'], { readonly text: string; readonly tone: Tone }>> = {
  ok: { text: 'ok  ', tone: 'good' },
  warn: { text: 'warn', tone: 'warn' },
  bad: { text: 'bad ', tone: 'bad' },
};

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Check the file, the machine and the running server, and say how to fix what is wrong',
  options: { fast: { summary: 'Leave out the check of every page of the file' } },
  examples: ['spanledger doctor', 'spanledger doctor --fast --json', 'spanledger doctor --db ledger.db'],
  run: async (ctx) => {
    const { examineHere } = await import('./examine-here.ts');
    const { checkFile } = await import('./check-file.ts');
    const file = await checkFile(ctx, { fast: ctx.options.fast });
    const isInOrder = file.every(({ level }) => level === 'ok');
    const rest: Examined | null = isInOrder ? await examineHere(ctx) : null;
    const findings = [...file, ...(rest?.findings ?? [])];
    const count = (level: Finding['level']): number => findings.filter((one) => one.level === level).length;
    const doc = {
      ok: count('bad') === 0,
      serving: rest?.serving ?? null,
      versions: rest?.versions ?? null,
      findings,
    };
    ctx.output.result(doc, () => {
      for (const { check, level, text, fix } of findings) {
        ctx.output.line(MARKS[level], { text: check.padEnd(WIDTH), tone: 'bold' }, text);
        if (fix !== null) ctx.output.line(' '.repeat(5 + WIDTH), { text: 'fix:', tone: 'dim' }, fix);
      }
    });
    const summary = `${countText(count('bad'), 'problem')}, ${countText(count('warn'), 'warning')}, ${count('ok')} in order`;
    if (doc.ok) ctx.output.success(summary);
    else ctx.output.warn(summary);
    if (file.some(({ level }) => level === 'bad')) return EXIT.database;
    return doc.ok ? EXIT.ok : EXIT.failure;
  },
});
