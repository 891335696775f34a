import type { Notification } from '../../deliveries/index.ts';
import type { LabelVersion } from '../contract.ts';

/** A prompt whose labels or versions changed what clients get. */
export type Published = {
  readonly organizationId: string;
  readonly projectId: string;
  readonly name: string;
  /** Who did it, for people. */
  readonly by: string;
  readonly message: string;
} & (
  | { readonly change: 'version'; readonly version: number; readonly labels: readonly string[] }
  | {
      readonly change: 'label';
      readonly label: string;
      /** Null: the label is gone. */
      readonly versions: readonly LabelVersion[] | null;
      readonly previous: readonly LabelVersion[] | null;
    }
);

/** The page of a prompt, as a path of the dashboard. */
export const promptPath = (projectId: string, name: string): string =>
  `/projects/${projectId}/prompts/${encodeURIComponent(name)}`;

/** The notification that a prompt was published. It has no text of the prompt. */
export function toNotification(published: Published): Notification {
  const { organizationId, projectId, name, by, message, ...change } = published;
  const title =
    change.change === 'version'
      ? `Version ${change.version} of the prompt ${name} was published${change.labels.length === 0 ? '' : ` as ${change.labels.join(', ')}`}`
      : `${change.label} of the prompt ${name} ${change.versions === null ? 'was removed' : `is now ${versionsText(change.versions)}`}`;
  return {
    organizationId,
    projectId,
    type: 'prompt.published',
    data: {
      prompt: { name, path: promptPath(projectId, name) },
      projectId,
      by,
      message,
      ...change,
      summary: title,
    },
    message: {
      title,
      text: message === '' ? `By ${by}.` : `${message} (by ${by})`,
      facts: [
        { label: 'Prompt', value: name },
        ...(change.change === 'label' && change.previous !== null
          ? [{ label: 'Before', value: versionsText(change.previous) }]
          : []),
      ],
      severity: 'info',
      subject: `prompt ${projectId} ${name}`,
      link: { label: 'Open the prompt', path: promptPath(projectId, name) },
    },
  };
}

/** `version 3`, or of a split `version 3 (90%), version 4 (10%)`. */
export function versionsText(versions: readonly LabelVersion[]): string {
  if (versions.length === 1) return `version ${versions[0]?.version}`;
  const total = versions.reduce((sum, { weight }) => sum + weight, 0);
  return versions
    .map(({ version, weight }) => `version ${version} (${Number(((weight / total) * 100).toFixed(1))}%)`)
    .join(', ');
}
