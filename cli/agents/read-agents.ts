import type { openFigures } from '../../src/features/agents/index.ts';
import type { Endpoint, ReplyOf } from '../../src/http/endpoint.ts';
import type { BaseContext } from '../command.ts';
import { projectOption, readOfProject } from '../project.ts';
import { parseWindow, toQuery, windowOptions } from '../window.ts';

/** Options of the commands that show figures of agents and tools. */
export const agentOptions = {
  ...projectOption,
  ...windowOptions,
  env: { value: 'NAME', summary: 'Only this environment', short: 'e' },
} as const;

type Options = Readonly<Record<'project' | 'start' | 'end' | 'env', string | undefined>>;

/** How a reply is read: from the figures of a file, or from an endpoint of a server. */
type Reads<E extends Endpoint> = {
  readonly file: (figures: Awaited<ReturnType<typeof openFigures>>) => Promise<ReplyOf<E>>;
  readonly endpoint: () => Promise<E>;
  readonly params?: Readonly<Record<string, string>>;
};

/** Reads figures of agents and tools of the chosen project. */
export async function readAgents<E extends Endpoint>(
  ctx: BaseContext,
  options: Options,
  { file, endpoint, params = {} }: Reads<E>,
): Promise<ReplyOf<E>> {
  const window = parseWindow(options, Date.now());
  return readOfProject(ctx, options.project, {
    file: async (app, _, project) => {
      const { openFigures } = await import('../../src/features/agents/index.ts');
      const { operatorScope } = await import('../../src/core/tenancy/index.ts');
      const query = { projectId: project.id, start: window.start, end: window.end, environment: options.env };
      return file(await openFigures(app, operatorScope(project), query));
    },
    server: async (server, { id }) =>
      server.get(await endpoint(), {
        params,
        query: { projectId: id, ...toQuery(window), environment: options.env },
      }),
  });
}
