import type { Ctx } from '../../../context.ts';
import { AppError, badRequest } from '../../../errors.ts';
import { parseInput } from '../../../http/validate.ts';
import { nextTurn } from '../../../lib/pace/next-turn.ts';
import type { PromptStep } from '../change/change-op.ts';
import { changePrompts, type PromptEditor } from '../change/change-prompts.ts';
import { toContent } from '../change/to-content.ts';
import { checkedFile, type ImportReply, type PromptFile } from './contract.ts';
import { type Exported, exportNamed } from './export-prompts.ts';

type Wish = {
  readonly prompts: readonly PromptFile[];
  readonly dryRun: boolean;
  /** Labels that a new version gets. */
  readonly labels: readonly string[];
  readonly message: string;
};

/**
 * Brings a project's prompts to what files say, in one transaction: a new version where the text or the config differs
 * from the newest one, nothing where it does not. Prompts without a file stay.
 * @throws AppError 400 for a name twice, 403, 409
 */
export async function importPrompts(ctx: Ctx, by: PromptEditor, wish: Wish): Promise<ImportReply> {
  const { prompts, dryRun, labels, message } = wish;
  const names = new Set(prompts.map(({ name }) => name));
  if (names.size < prompts.length) throw badRequest('prompts: two files have the same name');
  const planned: Planned[] = [];
  for (let from = 0; from < prompts.length; from += PER_TURN) {
    const some = prompts.slice(from, from + PER_TURN);
    const named = some.map(({ name }) => name);
    const known = new Map(
      (await exportNamed(ctx, by.scope.projectId, named)).map((one) => [one.file.name, one]),
    );
    for (const given of some) {
      const file = checked({ ...given, message, labels });
      planned.push({ file, ...planOf(file, known.get(file.name), labels) });
    }
    await nextTurn();
  }
  const steps = planned.flatMap(({ steps: own }) => own);
  if (!dryRun && steps.length > 0) await changePrompts(ctx, by, steps);
  return {
    dryRun,
    prompts: planned.map(({ file, change, version }) => ({ name: file.name, change, version })),
  };
}

/** Prompts that are compared before other requests are answered. */
const PER_TURN = 20;

/** Throws AppError 400 that names the prompt. */
function checked(given: PromptFile & { readonly message: string; readonly labels: readonly string[] }) {
  try {
    return parseInput(checkedFile, given);
  } catch (error) {
    throw error instanceof AppError ? badRequest(`${given.name}: ${error.message}`) : error;
  }
}

type Change = ImportReply['prompts'][number]['change'];
type Plan = {
  readonly change: Change;
  readonly version: number | null;
  readonly steps: readonly PromptStep[];
};

type Planned = Plan & { readonly file: ReturnType<typeof checked> };

function planOf(
  { name, description, tags, labels: _, ...version }: ReturnType<typeof checkedFile.parse>,
  known: Exported | undefined,
  labels: readonly string[],
): Plan {
  const type = version.template === undefined ? 'chat' : 'text';
  const add: PromptStep = { kind: 'version', name, type, content: toContent(version), labels };
  if (known === undefined)
    return { change: 'created', version: 1, steps: [{ kind: 'create', name, type, description, tags }, add] };
  const isSame = saying(version) === saying(known.file);
  const isDescribed =
    description === known.file.description && JSON.stringify(tags) === JSON.stringify(known.file.tags);
  const describe: PromptStep[] = isDescribed ? [] : [{ kind: 'change', name, description, tags }];
  if (!isSame) return { change: 'new version', version: known.lastVersion + 1, steps: [...describe, add] };
  return { change: isDescribed ? 'unchanged' : 'updated', version: known.version, steps: describe };
}

/** What a version says, as text that is equal for equal versions. */
const saying = ({
  template,
  messages,
  config,
}: Pick<PromptFile, 'template' | 'messages' | 'config'>): string =>
  JSON.stringify([template ?? null, messages ?? null, sorted(config)]);

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, one]) => [key, sorted(one)])
      : value;
