import { listService } from '../../context.ts';
import type { Module } from '../../module.ts';
import { observeSchemas } from './observe-schemas.ts';
import { writtenSchemas } from './with-schemas.ts';

/** The JSON schemas of tools, as calls of models were offered them: structure only, each once with its times. */
export const toolSchemasModule: Module = {
  name: 'tool-schemas',
  tables: [
    {
      name: 'tool_schemas',
      scope: 'project',
      by: 'project_id',
      key: ['id'],
      retention: { ends: 'last_seen', keptDays: 400 },
    },
  ],
  effects: [observeSchemas],
  services: [listService(writtenSchemas)],
};

export { listToolSchemas } from './list-schemas.ts';
export { readDefinitions, type ToolDefinition } from './read-definitions.ts';
export { type OfferedTool, withSchemas } from './with-schemas.ts';
