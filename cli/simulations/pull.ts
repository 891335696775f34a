import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { countText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { projectOption, readOfProject } from '../project.ts';

const fileOf = (name: string): string =>
  `${
    name
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '') || 'suite'
  }.yaml`;

export const simulationsPull = defineCommand({
  name: 'simulations pull',
  summary: 'Write the suites of simulations as files into a folder, as they were written',
  args: { folder: { summary: 'Folder, which is made if it is missing' } },
  options: projectOption,
  examples: ['spanledger simulations pull simulations', 'spanledger simulations pull sims -p bot --json'],
  run: async (ctx) => {
    const { folder } = ctx.args;
    const sources = await readOfProject(ctx, ctx.options.project, {
      file: async (app, _scope, { id: projectId }) => {
        const { listSimulations, readSimulation } = await import('../../src/features/simulations/index.ts');
        const all = await listSimulations(app, projectId);
        return Promise.all(all.map(({ id }) => readSimulation(app, projectId, { id })));
      },
      server: async (server, { id: projectId }) => {
        const { getSimulationEndpoint, listSimulationsEndpoint } = await import(
          '../../src/features/simulations/contract.ts'
        );
        const query = { projectId };
        const { simulations } = await server.get(listSimulationsEndpoint, { query });
        return Promise.all(
          simulations.map(({ id }) => server.get(getSimulationEndpoint, { params: { id }, query })),
        );
      },
    });
    await mkdir(folder, { recursive: true });
    const files: string[] = [];
    for (const { id, name, source } of sources) {
      const wanted = join(folder, fileOf(name));
      const path = files.includes(wanted) ? join(folder, fileOf(`${name} ${id}`)) : wanted;
      await Bun.write(path, source);
      files.push(path);
    }
    ctx.output.result({ files }, () =>
      ctx.output.success(`${countText(files.length, 'suite')} written to ${folder}`),
    );
  },
});
