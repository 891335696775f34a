import { z } from 'zod';
import { labelVersionSchema } from '../../src/core/prompts/contract.ts';
import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';
import { usageError } from '../user-error.ts';
import { labelText } from './list.ts';

const reply = z.object({
  name: z.string(),
  label: z.string(),
  versions: z.array(labelVersionSchema).nullable(),
});

export const promptsLabel = defineCommand({
  name: 'prompts label',
  summary: 'Point a label at a version, at several with weights, or remove it',
  args: {
    prompt: { summary: 'Name of the prompt' },
    label: { summary: 'Label, such as production' },
    versions: { summary: 'A version, versions with weights such as 3:90,4:10, or none' },
  },
  options: projectOption,
  examples: [
    'spanledger prompts label support/triage production 3',
    'spanledger prompts label support/triage production 3:90,4:10',
    'spanledger prompts label support/triage staging none',
  ],
  run: async (ctx) => {
    const { prompt: name, label } = ctx.args;
    const versions = parseVersions(ctx.args.versions);
    const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, ctx.options.project));
    const input = { project, name, label, versions };
    const doc = await act(ctx, { action: 'prompts.label', input, reply });
    ctx.output.result(doc, () =>
      ctx.output.success(
        doc.versions === null
          ? `${label} removed from ${name}`
          : `${name}: ${labelText({ label, versions: doc.versions, isProtected: false, updatedAt: '' })}`,
      ),
    );
  },
});

function parseVersions(text: string): { version: number; weight: number }[] | null {
  if (text === 'none') return null;
  return text.split(',').map((part) => {
    const [, version, weight = '1'] = /^(\d{1,7})(?::(\d+(?:\.\d+)?))?$/.exec(part.trim()) ?? [];
    if (version === undefined)
      throw usageError(
        `${part} is not a version`,
        'Pass a version such as 3, a split such as 3:90,4:10, or none',
      );
    return { version: Number(version), weight: Number(weight) };
  });
}
