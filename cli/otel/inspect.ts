import { readFileSync } from 'node:fs';
import type { InspectReply } from '../../src/features/otel/contract.ts';
import type { BaseContext } from '../command.ts';
import { defineCommand } from '../command.ts';
import { EXIT, UserError, usageError } from '../user-error.ts';
import { renderInspection } from './render.ts';

export const otelInspect = defineCommand({
  name: 'otel inspect',
  summary: 'Show how an OTLP trace request is read: calls, fields and dropped attributes',
  args: { file: { summary: 'OTLP request body, JSON or protobuf, gzip or plain; - for standard input' } },
  options: { all: { summary: 'Also show details of spans that are not calls', short: 'a' } },
  examples: ['spanledger otel inspect request.json', 'curl -s … | spanledger otel inspect - --json'],
  run: async (ctx) => {
    const doc = await inspect(await readBytes(ctx, ctx.args.file));
    ctx.output.result(doc, () => renderInspection(ctx.output, doc, ctx.options.all));
    return doc.spans === 0 && doc.refused.length > 0 ? EXIT.failure : EXIT.ok;
  },
});

/** Prices calls from the built-in catalogue: without an organization there are no custom prices. */
async function inspect(bytes: Uint8Array): Promise<InspectReply> {
  const [{ inspectRequest, readDump }, { builtInPricer }, { AppError }] = await Promise.all([
    import('../../src/features/otel/index.ts'),
    import('../../src/core/pricing/index.ts'),
    import('../../src/errors.ts'),
  ]);
  try {
    const { batch, encoding } = readDump(bytes, Date.now());
    return inspectRequest(batch, encoding, builtInPricer());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new UserError({
      what: error.message,
      fix: 'Pass the body of a POST to /v1/traces as an exporter sends it, JSON or protobuf',
      code: 'not_otlp',
      exit: EXIT.failure,
      cause: error,
    });
  }
}

async function readBytes(ctx: BaseContext, from: string): Promise<Uint8Array> {
  if (from === '-') return ctx.input.readBytes();
  try {
    return readFileSync(from);
  } catch {
    throw usageError(`Cannot read ${from}`, 'Pass the path of a file, or - for standard input');
  }
}
