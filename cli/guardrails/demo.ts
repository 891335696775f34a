import type { App } from '../../src/app.ts';
import type { GuardrailInput } from '../../src/core/guardrails/input/contract.ts';
import type { ProjectRow } from '../../src/core/projects/contract.ts';
import type { Actor } from '../../src/module.ts';

/** The guardrails whose outcomes the demo's traffic has. */
const GUARDRAILS: readonly Pick<GuardrailInput, 'name' | 'stage' | 'checks'>[] = [
  {
    name: 'input-policy',
    stage: 'input',
    checks: [
      { kind: 'prompt_injection', config: {}, action: 'flag' },
      { kind: 'secrets', config: {}, action: 'redact' },
    ],
  },
  {
    name: 'output-pii',
    stage: 'output',
    checks: [{ kind: 'pii', config: { types: ['email', 'phone', 'card', 'iban'] }, action: 'redact' }],
  },
];

/** Creates the demo's guardrails. */
export const createDemoGuardrails = async (
  app: App,
  { id: project }: ProjectRow,
  actor: Actor,
): Promise<void> => {
  const [{ createGuardrailAction }, { guardrailInput }] = await Promise.all([
    import('../../src/core/guardrails/index.ts'),
    import('../../src/core/guardrails/input/contract.ts'),
  ]);
  for (const guardrail of GUARDRAILS)
    await app.act(createGuardrailAction, { project, guardrail: guardrailInput.parse(guardrail) }, actor);
};
