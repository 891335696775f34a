import { createHash } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Ctx } from '../../context.ts';
import {
  BUILT_IN,
  catalogueOf,
  catalogueOfPack,
  compareCatalogues,
  findCatalogue,
  listCatalogues,
  PACK_FORMAT,
  type PricePack,
  putInForce,
  readPack,
  stateOf,
  unreadRates,
  verifyPack,
} from '../../core/pricing/index.ts';
import type { CatalogueChange } from '../../core/pricing/packs/contract.ts';
import { badRequest, notFound } from '../../errors.ts';
import type { Actor } from '../../module.ts';

/** A catalogue that is to be put in force. */
export type Candidate = {
  readonly pack: PricePack;
  /** The file or the address that it came from. */
  readonly source: string;
  /** Id of the trusted key that signed it; null without one. */
  readonly keyId: string | null;
};

/** What a catalogue changes, and whether it is in force now. */
export type CatalogueUpdate = {
  readonly version: string;
  readonly date: string;
  readonly sha256: string;
  readonly source: string;
  readonly keyId: string | null;
  readonly providers: number;
  readonly models: number;
  /** The catalogue that was in force before. */
  readonly replaces: { readonly version: string; readonly date: string | null };
  readonly changes: readonly CatalogueChange[];
  /** Rates of the pack that pricing does not read, by the pack's key. */
  readonly unread: readonly string[];
  /** False for a dry run, and if nothing differs from what is in force. */
  readonly changed: boolean;
};

const trustedKeys = ({ PRICE_PACK_KEYS: keys }: Config): string[] => keys?.split(',') ?? [];

/**
 * Reads a document and checks its signature.
 * @param of.unsigned whether a pack without a trusted signature is accepted; a pack that was changed after it was
 * signed never is
 * @throws AppError 400 that says what is wrong and how to mend it
 */
export function readCandidate(
  ctx: Ctx,
  of: { readonly text: string; readonly source: string; readonly unsigned: boolean },
): Candidate {
  const { pack, signature, signed } = readPack(of.text, ctx.now());
  const { source, unsigned } = of;
  const verdict = signature === null ? 'unsigned' : verifyPack(signed, signature, trustedKeys(ctx.config));
  if (verdict === 'changed')
    throw badRequest('The price pack was changed after it was signed; get it again from its publisher');
  if (verdict === 'valid') return { pack, source, keyId: signature?.key ?? null };
  if (unsigned) return { pack, source, keyId: null };
  throw badRequest(
    verdict === 'unsigned'
      ? 'The price pack is not signed; sign it with `spanledger prices pack sign`, or pass a file that you trust with --unsigned'
      : `The price pack is signed with the key ${signature?.key}, which PRICE_PACK_KEYS does not name; add the publisher's public key to that setting`,
  );
}

/** A kept catalogue as a candidate. Throws AppError 404. */
export async function keptCandidate(ctx: Ctx, id: number): Promise<Candidate> {
  const row = await findCatalogue(ctx, id);
  if (row === null) {
    const kept = (await listCatalogues(ctx)).map((one) => one.id).join(', ');
    throw notFound(
      `There is no catalogue ${id}; ${kept === '' ? 'none was put in force yet' : `kept are ${kept}`}`,
    );
  }
  const { version, date, keyId, source } = row;
  const stored = JSON.parse(row.json) as PricePack | PricePack['providers'];
  if ('format' in stored) return { pack: stored, source, keyId };
  const day = date ?? row.takenAt.toISOString().slice(0, 10);
  const pack: PricePack = {
    format: PACK_FORMAT,
    version: version ?? `genai-prices of ${day}`,
    date: day,
    providers: stored,
  };
  return { pack, source, keyId };
}

/** The built-in catalogue as a candidate. */
export const builtInCandidate = (): Candidate => ({
  pack: {
    format: PACK_FORMAT,
    version: BUILT_IN.version,
    date: BUILT_IN.date ?? '',
    extends: 'built-in',
    providers: [],
  },
  source: 'built-in',
  keyId: null,
});

/**
 * Compares a catalogue with the one in force and, unless this is a dry run, puts it in force. Custom prices stay above
 * it, and stored events keep their cost. The same catalogue again changes nothing.
 */
export async function updateCatalogue(
  ctx: Ctx,
  { pack, source, keyId }: Candidate,
  by: { readonly actor: Actor; readonly dryRun: boolean },
): Promise<CatalogueUpdate> {
  const json = JSON.stringify(pack);
  const sha256 = createHash('sha256').update(json).digest('hex');
  const [current, [newest]] = await Promise.all([catalogueOf(ctx), listCatalogues(ctx)]);
  const next = source === 'built-in' ? BUILT_IN : catalogueOfPack(pack);
  const changes = compareCatalogues(current, next);
  const isSame = newest === undefined ? source === 'built-in' : newest.sha256 === sha256;
  const changed = !isSame && !by.dryRun;
  if (changed) {
    const row = { source, sha256, json, version: pack.version, date: pack.date, keyId };
    await putInForce(ctx, by.actor, { row, changes });
  }
  const { providers, models } = stateOf(next, ctx.now());
  return {
    version: pack.version,
    date: pack.date,
    sha256,
    source,
    keyId,
    providers,
    models,
    replaces: { version: current.version, date: current.date },
    changes,
    unread: unreadRates(pack),
    changed,
  };
}
