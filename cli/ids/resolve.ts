import type { BaseContext, Command, RawInput } from '../command.ts';
import { EXIT, UserError } from '../user-error.ts';
import type { IdKind } from './kind.ts';
import { ID_KINDS } from './kinds.ts';
import { shortLengths } from './short.ts';

/** Ids in full: of a row of the control plane, of an event, of a trace. */
const WHOLE = /^([a-z]+_[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})$/i;
const MOST_NAMED = 5;

/** The words of a command with every start of an id replaced by the whole id. Throws what `resolveId` throws. */
export const wholeIds = async (ctx: BaseContext, command: Command, raw: RawInput): Promise<RawInput> => {
  const project = typeof raw.options.project === 'string' ? raw.options.project : undefined;
  const resolve = async (
    specs: Readonly<Record<string, { readonly id?: IdKind }>>,
    values: RawInput['args'],
  ): Promise<RawInput['args']> => {
    const whole: Record<string, unknown> = { ...values };
    for (const [name, { id: kind }] of Object.entries(specs)) {
      const given = values[name];
      if (kind !== undefined && typeof given === 'string')
        whole[name] = await resolveId(ctx, { kind, given, project });
    }
    return whole;
  };
  return {
    args: await resolve(command.args, raw.args),
    options: await resolve(command.options, raw.options),
  };
};

/**
 * The whole id that a start of one means, as git does it: `key_01a2` or `01a2`. Text that begins no id stays as it
 * is, for the command to refuse.
 * @throws {UserError} `ambiguous` (5) with the candidates if it begins several
 */
const resolveId = async (
  ctx: BaseContext,
  { kind, given, project }: { kind: IdKind; given: string; project: string | undefined },
): Promise<string> => {
  if (WHOLE.test(given)) return given;
  const start = given.toLowerCase();
  const candidates = await ID_KINDS[kind](ctx, project);
  if (candidates.some(({ id }) => id === given)) return given;
  const found = candidates.filter(
    ({ id }) => id.startsWith(start) || id.slice(id.indexOf('_') + 1).startsWith(start),
  );
  const [only] = found;
  if (only === undefined || start === '') return given;
  if (found.length === 1) return only.id;
  const length = Math.max(...shortLengths(found.map(({ id }) => id)));
  const named = found.slice(0, MOST_NAMED).map(({ id, label }) => `${id.slice(0, length)} (${label})`);
  throw new UserError({
    what: `${given} begins ${found.length} ids: ${named.join(', ')}${found.length > MOST_NAMED ? ' …' : ''}`,
    fix: 'Type more of the id',
    code: 'ambiguous',
    exit: EXIT.conflict,
  });
};
