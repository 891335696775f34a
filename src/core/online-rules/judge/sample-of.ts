import type { Ctx } from '../../../context.ts';
import type { Sample } from '../../evaluators/index.ts';
import { subjectSample } from '../../evaluators/index.ts';
import type { EventSubject } from '../../events/index.ts';
import { heldContent } from '../arrival/held-content.ts';
import type { LoadedRule } from './load-rule.ts';

/** What is judged of a trace. `isHeld`: its content is stored nowhere, so nothing of it may be. */
export function sampleOf(
  ctx: Ctx,
  { scope, judgesUnstored }: LoadedRule,
  subject: EventSubject & { readonly traceId: string },
): { readonly sample: Sample; readonly isHeld: boolean } {
  const stored = subjectSample(subject);
  if (stored.output !== undefined && stored.output !== null) return { sample: stored, isHeld: false };
  const held = judgesUnstored ? heldContent(ctx, scope.no, subject.traceId) : null;
  if (held === null) return { sample: stored, isHeld: false };
  return { sample: { ...stored, ...held }, isHeld: true };
}
