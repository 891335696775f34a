import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { conflict, notAMember } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import type { SdkConfig, SdkConfigChange } from './contract.ts';
import { projectsChanged } from './projects-changed.ts';
import { type IngestSettings, readIngestSettings } from './queries.ts';
import { sdkConfigSubject } from './subject.ts';
import { projects } from './table.ts';

/** A project's settings as its clients know them. */
export function toSdkConfig(settings: Omit<IngestSettings, 'monthlyEvents' | 'monthlyBytes'>): SdkConfig {
  const { configVersion, sampleRate, redactKeys, storePrompts, flushIntervalMs, maxBatchSize } = settings;
  return {
    version: configVersion,
    sampleRate,
    redactKeys: [...redactKeys],
    storePrompts,
    flushIntervalMs,
    maxBatchSize,
  };
}

/**
 * Changes what a project tells its clients and counts its version up, unless nothing is different.
 * @throws AppError 409 when `change.version` is not the current one
 */
export async function updateSdkConfig(
  ctx: Ctx,
  actor: Actor,
  { scope, change }: { scope: ProjectScope; change: SdkConfigChange },
): Promise<void> {
  const current = toSdkConfig(await readIngestSettings(ctx, scope));
  const { version = current.version, ...values } = change;
  if (version !== current.version) throw changedMeanwhile(current.version);
  const wanted = { ...current, ...definedOf(values) };
  if (JSON.stringify(wanted) === JSON.stringify(current)) return;
  const { version: _, ...set } = wanted;
  const update = ctx.db.sql
    .update(projects)
    .set({ ...set, configVersion: sql`${projects.configVersion} + 1` })
    .where(
      and(eq(projects.id, scope.projectId), isNull(projects.deletedAt), eq(projects.configVersion, version)),
    );
  const { organizationId, projectId } = scope;
  const subject = { of: sdkConfigSubject, id: projectId };
  const [changed] = await commitChange(ctx, actor, {
    statements: [update],
    audit: [{ action: 'sdk_config.updated', organizationId, projectId, subject }],
  });
  if (changed === 0) throw await whyNot(ctx, scope);
  ctx.emit(projectsChanged);
}

const changedMeanwhile = (version: number): Error =>
  conflict(`The settings were changed meanwhile and are at version ${version}; read them again`);

/** Somebody was faster: with a change, or by deleting the project. */
async function whyNot(ctx: Ctx, scope: ProjectScope): Promise<Error> {
  const now = await readIngestSettings(ctx, scope).catch(() => null);
  return now === null ? notAMember() : changedMeanwhile(now.configVersion);
}

function definedOf<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]: Exclude<T[K], undefined> };
}
