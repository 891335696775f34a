import type { TestApp } from './app.ts';

/**
 * How one write route (`POST /v1/…`, as the route is declared) or action (`keys.create`) leaves its entries in
 * the audit log. `tests/audit/scenarios.test.ts` runs each twice: as it is, and with a log that takes nothing,
 * when no table may change.
 */
export type AuditScenario<T = unknown> = {
  /** Creates the preconditions. */
  readonly prepare?: (world: TestApp) => Promise<T>;
  /** One call of the route, or of the action as `ada`. */
  readonly act: (world: TestApp, prepared: T) => Promise<unknown>;
  /** The expected audit actions, in order, over all organizations. */
  readonly tells: readonly string[];
  /** Uses a file without an owner. */
  readonly empty?: true;
  /** Is about events in the database file. */
  readonly events?: 'file';
};

/** Checks a scenario's types and erases them. */
export const scenario = <T>(spec: AuditScenario<T>): AuditScenario => spec as AuditScenario;

/** What a file `tests/audit/*.scenarios.ts` exports as `scenarios`. */
export type AuditScenarios = Readonly<Record<string, AuditScenario>>;

/** What it exports as `unaudited`: write routes that change nothing to be told, with the reason. */
export type Unaudited = Readonly<Record<string, string>>;

/** Runs an action by its name, as the operator ada. */
export const act = async ({ app }: TestApp, name: string, input: unknown): Promise<unknown> => {
  const { modules } = await import('../../src/features.ts');
  const action = modules.flatMap(({ actions = [] }) => actions).find((one) => one.name === name);
  if (action === undefined) throw new Error(`no action ${name}`);
  return app.act(action, input, { kind: 'operator', name: 'ada' });
};
