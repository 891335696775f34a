import { actorOf } from '../../module.ts';
import { type Callers, hasRole, route } from '../tenancy/index.ts';
import {
  changePrompt,
  createPrompt,
  createVersion,
  deletePrompt,
  deleteVersion,
  type PromptEditor,
  setLabel,
} from './change/change-prompts.ts';
import { setProtectedLabels } from './change/set-protected-labels.ts';
import { diffEndpoint } from './compare/contract.ts';
import { diffVersions } from './compare/diff-versions.ts';
import { serveCompiled } from './compile/serve-compiled.ts';
import {
  changePromptEndpoint,
  compiledEndpoint,
  createPromptEndpoint,
  createVersionEndpoint,
  deleteLabelEndpoint,
  deletePromptEndpoint,
  deleteVersionEndpoint,
  getPromptEndpoint,
  getPromptSettingsEndpoint,
  getVersionEndpoint,
  type ListFigures,
  listPromptsEndpoint,
  listVersionsEndpoint,
  putLabelEndpoint,
  putPromptSettingsEndpoint,
  sdkPromptEndpoint,
} from './contract.ts';
import { labelHistoryEndpoint, promptFiguresEndpoint } from './figures/contract.ts';
import { listLabelChanges } from './figures/list-changes.ts';
import { readFigures } from './figures/read-figures.ts';
import { readListFigures } from './figures/read-list-figures.ts';
import { exportPromptsEndpoint, importPromptsEndpoint } from './files/contract.ts';
import { exportDocument } from './files/export-prompts.ts';
import { importPrompts } from './files/import-prompts.ts';
import {
  findPrompt,
  listPrompts,
  listVersions,
  readPrompt,
  readProtectedLabels,
  readVersion,
} from './queries.ts';

const editorOf = (
  caller: Callers['project'],
  input: { request: Request; address: string | null },
): PromptEditor => ({
  scope: caller.scope,
  actor: actorOf(caller, input),
  by: caller.userId,
  byName: caller.name,
  isAdmin: hasRole(caller.role, 'admin'),
});

const NO_CALLS: ListFigures = {
  calls: 0,
  cost: null,
  unpriced: 0,
  errorRate: null,
  latencyP95: null,
  series: [],
};

const reads = [
  route(listPromptsEndpoint, async (ctx, { query: { projectId, figureDays, ...query } }, { scope }) => {
    const page = await listPrompts(ctx, projectId, query);
    if (figureDays === undefined) return page;
    const { figures, deletedBefore } = await readListFigures(ctx, scope, figureDays);
    return {
      ...page,
      deletedBefore,
      prompts: page.prompts.map((one) => ({ ...one, figures: figures.get(one.name) ?? NO_CALLS })),
    };
  }),
  route(getPromptEndpoint, (ctx, { params }, { scope }) => readPrompt(ctx, scope.projectId, params.name)),
  route(listVersionsEndpoint, (ctx, { params, query: { cursor, limit } }, { scope }) =>
    listVersions(ctx, scope.projectId, { name: params.name, cursor, limit }),
  ),
  route(getVersionEndpoint, (ctx, { params }, { scope }) => readVersion(ctx, scope.projectId, params)),
  route(compiledEndpoint, (ctx, { params, query, request }, { scope }) =>
    serveCompiled(ctx, scope.projectId, { ...query, ...params }, request),
  ),
  route(sdkPromptEndpoint, (ctx, { params, query, request }, { projectId }) =>
    serveCompiled(ctx, projectId, { ...query, ...params }, request),
  ),
  route(diffEndpoint, (ctx, { params, query: { from, to } }, { scope }) =>
    diffVersions(ctx, scope.projectId, { name: params.name, from, to }),
  ),
  route(promptFiguresEndpoint, async (ctx, { params, query }, { scope }) => {
    await findPrompt(ctx, scope.projectId, params.name);
    return readFigures(ctx, scope, { ...query, name: params.name });
  }),
  route(labelHistoryEndpoint, (ctx, { params, query: { start, end, cursor, limit } }, { scope }) =>
    listLabelChanges(ctx, scope.projectId, { name: params.name, start, end, cursor, limit }),
  ),
  route(exportPromptsEndpoint, (ctx, _input, { scope }) => exportDocument(ctx, scope.projectId)),
  route(getPromptSettingsEndpoint, async (ctx, _input, { scope }) => ({
    protectedLabels: [...(await readProtectedLabels(ctx, scope.projectId))],
  })),
];

const writes = [
  route(createPromptEndpoint, async (ctx, input, caller) => {
    await createPrompt(ctx, editorOf(caller, input), input.body);
    return findPrompt(ctx, caller.scope.projectId, input.body.name);
  }),
  route(changePromptEndpoint, async (ctx, input, caller) => {
    await changePrompt(ctx, editorOf(caller, input), { ...input.params, ...input.body });
    return findPrompt(ctx, caller.scope.projectId, input.params.name);
  }),
  route(deletePromptEndpoint, async (ctx, input, caller) => {
    const { confirm } = input.query;
    await deletePrompt(ctx, editorOf(caller, input), { ...input.params, confirm });
    return null;
  }),
  route(createVersionEndpoint, async (ctx, input, caller) => {
    const { name } = input.params;
    const version = await createVersion(ctx, editorOf(caller, input), { name, version: input.body });
    return readVersion(ctx, caller.scope.projectId, { name, version });
  }),
  route(deleteVersionEndpoint, async (ctx, input, caller) => {
    await deleteVersion(ctx, editorOf(caller, input), input.params);
    return null;
  }),
  route(putLabelEndpoint, async (ctx, input, caller) => {
    const { name, label } = input.params;
    const isProtected = (await readProtectedLabels(ctx, caller.scope.projectId)).includes(label);
    await setLabel(ctx, editorOf(caller, input), { name, label, versions: input.body });
    const prompt = await findPrompt(ctx, caller.scope.projectId, name);
    const shown = prompt.labels.find((one) => one.label === label);
    // Another request may have removed it since.
    return shown ?? { label, versions: [...input.body], isProtected, updatedAt: prompt.updatedAt };
  }),
  route(deleteLabelEndpoint, async (ctx, input, caller) => {
    await setLabel(ctx, editorOf(caller, input), { ...input.params, versions: null });
    return null;
  }),
  route(importPromptsEndpoint, (ctx, input, caller) =>
    importPrompts(ctx, editorOf(caller, input), input.body),
  ),
  route(putPromptSettingsEndpoint, async (ctx, input, caller) => {
    await setProtectedLabels(ctx, editorOf(caller, input), input.body.protectedLabels);
    return { protectedLabels: [...(await readProtectedLabels(ctx, caller.scope.projectId))] };
  }),
];

export const promptRoutes = [...reads, ...writes];
