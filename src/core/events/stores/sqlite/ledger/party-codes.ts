import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import type { LedgerParty } from '../../../ledger.ts';
import { labelValues, textOf } from '../labels/label-value.ts';
import { tagsOf } from '../labels/labels.ts';
import type { Chunk } from '../scan/chunk.ts';
import { type Codes, codesOf, codesOfLabel, codesOfTags, constantCodes } from '../scan/codes.ts';

/** The party of each event of a chunk, as codes. Texts are as events have them, not limited as in sums by tag. */
export type PartyCodes = (chunk: Chunk) => Codes;

/** How to tell the parties of a project's chunks. @param projectId the party of `project` */
export function partyCodesOf(reader: Reader, by: LedgerParty, projectId: string): PartyCodes {
  if (by === 'project') return (chunk) => ({ ...constantCodes(chunk, 0), valueAt: () => projectId });
  if (by === 'user') return (chunk) => codesOf(chunk, 'userId');
  if (by === 'key') {
    const keys = labelValues(reader, 'keyId');
    return (chunk) => codesOfLabel(chunk, (label) => keys.get(label) ?? null);
  }
  if (by === 'tags') return codesOfTags;
  const name = by.slice('tag:'.length);
  return (chunk) => {
    const { codes, at } = chunk.texts('shape');
    return { codes, valueAt: (shape) => tagValue(at(shape), name) };
  };
}

function tagValue(shape: string | null, name: string): SqlValue {
  const tags = tagsOf(shape);
  return textOf(tags !== null && Object.hasOwn(tags, name) ? tags[name] : null);
}
