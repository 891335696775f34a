import { z } from 'zod';
import { forwardedNotice, forwardedText } from '../../http/forwarded-notice.ts';
import { formatInstant } from '../../lib/time.ts';
import { defineAction } from '../../module.ts';
import type { noticesSchema } from './contract.ts';

/** `server.notices`: what the operator of the running server should know. It changes nothing. */
export const noticesAction = defineAction({
  name: 'server.notices',
  input: z.object({}),
  run: async (ctx): Promise<z.infer<typeof noticesSchema>> => {
    const { first } = ctx.use(forwardedNotice);
    return {
      notices: first === null ? [] : [{ since: formatInstant(first.at), text: forwardedText(first.peer) }],
    };
  },
});
