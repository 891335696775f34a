import type { Connection } from '../../../db/connection.ts';
import type { WriteOp } from '../../../db/group-commit.ts';
import { newId } from '../../../db/new-id.ts';
import { AppError, conflict, notFound } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import { type AuditNote, createAuditAppender, draftEntry } from '../../audit/index.ts';
import { createNotifier } from '../../deliveries/index.ts';
import type { LabelVersion, PromptType } from '../contract.ts';
import { DEFAULT_LABEL } from '../input/contract.ts';
import { promptLabelSubject, promptSubject, promptVersionSubject } from '../subject.ts';
import { type KnownPrompt, type PromptRows, promptRows } from './prompt-rows.ts';
import { type Published, toNotification, versionsText } from './to-notification.ts';

/** A version as it is stored; JSON columns as text. */
export type VersionContent = {
  readonly template: string | null;
  readonly messages: string | null;
  readonly config: string;
  readonly variables: string;
  readonly includes: string;
  readonly message: string;
  readonly bytes: number;
};

export type PromptStep = { readonly name: string } & (
  | {
      readonly kind: 'create';
      readonly type: PromptType;
      readonly description: string;
      readonly tags: readonly string[];
    }
  | {
      readonly kind: 'version';
      readonly type: PromptType;
      readonly content: VersionContent;
      readonly labels: readonly string[];
    }
  | { readonly kind: 'change'; readonly description: string; readonly tags: readonly string[] }
  /** `versions`: null removes the label. `latest`: the version that the steps before made. */
  | {
      readonly kind: 'label';
      readonly label: string;
      readonly versions: readonly LabelVersion[] | 'latest' | null;
    }
  | { readonly kind: 'deleteVersion'; readonly version: number }
  | { readonly kind: 'delete' }
);

/** Changes of a project's prompts that happen together or not at all. */
export type PromptsChange = {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly actor: Actor;
  /** Id of the author, and their name for people. */
  readonly by: string;
  readonly byName: string;
  /** Whether protected labels may be changed. */
  readonly isAdmin: boolean;
  readonly organizationId: string;
  readonly projectId: string;
  readonly limits: { readonly prompts: number; readonly bytes: number };
  readonly steps: readonly PromptStep[];
};

/** The number of the last version that was added; null without one. */
export type PromptsOutcome = { readonly version: number | null };

/**
 * Changes prompts in one transaction with audit entries and notifications. Numbers of versions are given in it, so that
 * two people who publish at once get two versions.
 * @throws AppError 403 for a protected label, 404, 409
 */
export const changePromptsOp: WriteOp<PromptsChange, PromptsOutcome> = {
  name: 'prompts.change',
  open: (connection) => ({ apply: openChange(connection) }),
};

type Step<K extends PromptStep['kind']> = Extract<PromptStep, { readonly kind: K }>;

function openChange(connection: Connection): (change: PromptsChange) => PromptsOutcome {
  const rows = promptRows(connection);
  const audit = createAuditAppender(connection);
  const notifier = createNotifier(connection);

  /** Does something and adds its audit entry. */
  function audited(
    change: PromptsChange,
    note: Pick<AuditNote, 'action' | 'subject'>,
    act: () => void,
  ): void {
    const { organizationId, projectId } = change;
    const draft = draftEntry({ now: () => change.now }, change.actor, { ...note, organizationId, projectId });
    const before = audit.stateOf(draft);
    act();
    audit.append(draft, { before, after: audit.stateOf(draft) });
  }

  type News =
    | { readonly change: 'version'; readonly version: number; readonly labels: readonly string[] }
    | Pick<Extract<Published, { change: 'label' }>, 'change' | 'label' | 'versions' | 'previous'>;
  function tell(change: PromptsChange, name: string, news: News, message = ''): void {
    const { organizationId, projectId, byName: by, now } = change;
    notifier.add(toNotification({ organizationId, projectId, name, by, message, ...news }), now);
  }

  function create(change: PromptsChange, { name, type, description, tags }: Step<'create'>): void {
    const { organizationId, projectId, by, now, limits } = change;
    if (rows.find(projectId, name) !== null)
      throw conflict(`There is a prompt ${name} already; add a version to it`);
    if (rows.usage(projectId).prompts >= limits.prompts)
      throw conflict(
        `A project of this plan has at most ${limits.prompts.toLocaleString('en-US')} prompts; delete some first`,
      );
    const id = newId('prm', now);
    audited(change, { action: 'prompt.created', subject: { of: promptSubject, id } }, () =>
      rows.insert({ id, organizationId, projectId, name, type, description, tags, by, now }),
    );
  }

  function addVersion(change: PromptsChange, step: Step<'version'>): number {
    const { projectId, by, now } = change;
    const { id, type, lastVersion } = findPrompt(rows, change, step.name);
    if (type !== step.type)
      throw conflict(
        `${step.name} is a ${type} prompt; give ${type === 'text' ? 'template' : 'messages'}, or make a new prompt`,
      );
    checkSize(rows, change, step.content.bytes);
    const version = lastVersion + 1;
    const subject = { of: promptVersionSubject, id: [id, String(version)] };
    audited(change, { action: 'prompt.version_created', subject }, () =>
      rows.addVersion({ promptId: id, projectId, version, by, now, ...step.content }),
    );
    for (const label of step.labels) setLabel(change, step.name, label, [{ version, weight: 1 }]);
    tell(change, step.name, { change: 'version', version, labels: step.labels }, step.content.message);
    return version;
  }

  /** @returns whether something changed */
  function setLabel(
    change: PromptsChange,
    name: string,
    label: string,
    versions: readonly LabelVersion[] | null,
  ): Pick<Extract<Published, { change: 'label' }>, 'label' | 'versions' | 'previous'> | null {
    const { projectId, by, now } = change;
    const { id: promptId } = findPrompt(rows, change, name);
    const labels = rows.labels(promptId);
    const previous = labels.get(label) ?? null;
    if (versions === null && previous === null) throw notFound(`${name} has no label ${label}`);
    if (isSame(previous, versions)) return null;
    requireLabel(rows, change, label);
    if (versions === null && label === DEFAULT_LABEL) refuseIncluded(rows, change, promptId, name);
    if (previous === null && labels.size >= MAX_LABELS)
      throw conflict(`A prompt has at most ${MAX_LABELS} labels; remove one first`);
    for (const { version } of versions ?? [])
      if (!rows.hasVersion(promptId, version)) throw notFound(`${name} has no version ${version}`);
    const subject = { of: promptLabelSubject, id: [promptId, label] };
    const action = versions === null ? 'prompt.label_deleted' : 'prompt.label_updated';
    audited(change, { action, subject }, () =>
      rows.setLabel({ promptId, projectId, label, by, now }, { id: newId('plc', now), previous, versions }),
    );
    return { label, versions, previous };
  }

  function moveLabel(change: PromptsChange, { name, label, versions: wanted }: Step<'label'>): void {
    const latest = (): LabelVersion[] => [{ version: findPrompt(rows, change, name).lastVersion, weight: 1 }];
    const moved = setLabel(change, name, label, wanted === 'latest' ? latest() : wanted);
    if (moved !== null) tell(change, name, { change: 'label', ...moved });
  }

  function update(change: PromptsChange, { name, description, tags }: Step<'change'>): void {
    const { id } = findPrompt(rows, change, name);
    audited(change, { action: 'prompt.updated', subject: { of: promptSubject, id } }, () =>
      rows.update(id, description, tags, change.now),
    );
  }

  function removeVersion(change: PromptsChange, { name, version }: Step<'deleteVersion'>): void {
    const { id } = findPrompt(rows, change, name);
    if (!rows.hasVersion(id, version)) throw notFound(`${name} has no version ${version}`);
    for (const [label, versions] of rows.labels(id))
      if (versions.some((one) => one.version === version))
        throw conflict(`${label} is ${versionsText(versions)} of ${name}; point it elsewhere first`);
    const subject = { of: promptVersionSubject, id: [id, String(version)] };
    audited(change, { action: 'prompt.version_deleted', subject }, () =>
      rows.dropVersion(id, version, change.now),
    );
  }

  function remove(change: PromptsChange, { name }: Step<'delete'>): void {
    const { id } = findPrompt(rows, change, name);
    refuseIncluded(rows, change, id, name);
    for (const label of rows.labels(id).keys()) requireLabel(rows, change, label);
    audited(change, { action: 'prompt.deleted', subject: { of: promptSubject, id } }, () => rows.drop(id));
  }

  return (change) => {
    let version: number | null = null;
    for (const step of change.steps) {
      if (step.kind === 'create') create(change, step);
      else if (step.kind === 'version') version = addVersion(change, step);
      else if (step.kind === 'label') moveLabel(change, step);
      else if (step.kind === 'change') update(change, step);
      else if (step.kind === 'deleteVersion') removeVersion(change, step);
      else remove(change, step);
    }
    return { version };
  };
}

const MAX_LABELS = 50;

function findPrompt(rows: PromptRows, { projectId }: PromptsChange, name: string): KnownPrompt {
  const found = rows.find(projectId, name);
  if (found === null) throw notFound(`There is no prompt ${name}`);
  return found;
}

/** Refuses to take away what other prompts include: nobody could fetch them any more. */
function refuseIncluded(rows: PromptRows, { projectId }: PromptsChange, id: string, name: string): void {
  const users = rows.usersOf(projectId, id, name);
  if (users.length === 0) return;
  const [verb, them] = users.length === 1 ? ['includes', 'it'] : ['include', 'them'];
  const more = users.length > 3 ? ' and others' : '';
  throw conflict(`${users.slice(0, 3).join(', ')}${more} ${verb} ${name}; change ${them} first`);
}

function checkSize(rows: PromptRows, { projectId, limits }: PromptsChange, bytes: number): void {
  if (rows.usage(projectId).bytes + bytes > limits.bytes)
    throw conflict(
      `The prompts of a project of this plan have at most ${Math.round(limits.bytes / 1e6).toLocaleString('en-US')} MB; delete old versions or prompts first`,
    );
}

function requireLabel(rows: PromptRows, { projectId, isAdmin }: PromptsChange, label: string): void {
  if (isAdmin || !rows.isProtected(projectId, label)) return;
  throw new AppError(403, `${label} is a protected label; only admins change it`, { code: 'role_too_low' });
}

const isSame = (a: readonly LabelVersion[] | null, b: readonly LabelVersion[] | null): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
