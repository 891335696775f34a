import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import type { diffEndpoint } from '../compare/contract.ts';
import type {
  createPromptEndpoint,
  createVersionEndpoint,
  deleteLabelEndpoint,
  deletePromptEndpoint,
  getPromptEndpoint,
  getPromptSettingsEndpoint,
  getVersionEndpoint,
  listPromptsEndpoint,
  listVersionsEndpoint,
  putLabelEndpoint,
  putPromptSettingsEndpoint,
} from '../contract.ts';
import type { labelHistoryEndpoint, promptFiguresEndpoint } from '../figures/contract.ts';

export const listPromptsApi = endpointOf<typeof listPromptsEndpoint>('GET /v1/prompts');
export const createPromptApi = endpointOf<typeof createPromptEndpoint>('POST /v1/prompts');
export const promptApi = endpointOf<typeof getPromptEndpoint>('GET /v1/prompts/:name');
export const deletePromptApi = endpointOf<typeof deletePromptEndpoint>('DELETE /v1/prompts/:name');
export const listVersionsApi = endpointOf<typeof listVersionsEndpoint>('GET /v1/prompts/:name/versions');
export const createVersionApi = endpointOf<typeof createVersionEndpoint>('POST /v1/prompts/:name/versions');
export const versionApi = endpointOf<typeof getVersionEndpoint>('GET /v1/prompts/:name/versions/:version');
export const putLabelApi = endpointOf<typeof putLabelEndpoint>('PUT /v1/prompts/:name/labels/:label');
export const deleteLabelApi = endpointOf<typeof deleteLabelEndpoint>(
  'DELETE /v1/prompts/:name/labels/:label',
);
export const settingsApi = endpointOf<typeof getPromptSettingsEndpoint>('GET /v1/prompt-settings');
export const changeSettingsApi = endpointOf<typeof putPromptSettingsEndpoint>('PUT /v1/prompt-settings');
export const diffApi = endpointOf<typeof diffEndpoint>('GET /v1/prompts/:name/diff');
export const figuresApi = endpointOf<typeof promptFiguresEndpoint>('GET /v1/prompts/:name/figures');
export const historyApi = endpointOf<typeof labelHistoryEndpoint>('GET /v1/prompts/:name/history');

/** What a change of one prompt makes stale. */
export const CHANGED = [listPromptsApi, promptApi, listVersionsApi, versionApi, historyApi, diffApi] as const;
