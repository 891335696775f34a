import { createLink, type LinkKind } from '../../src/core/auth/links/links.ts';
import type { TestApp } from './app.ts';

/** The token of a new link, as a mail would bring it. */
export const linkFor = ({ ctx }: TestApp, kind: LinkKind, value: string): Promise<string> =>
  createLink(ctx, kind, value);
