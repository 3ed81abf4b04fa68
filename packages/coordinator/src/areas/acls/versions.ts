/** Every version of the policy, kept for good in two logs of the store: its record, and its text. */
import {
  DEFAULT_LIMIT,
  decodeCursor,
  encodeCursor,
  invalid,
  MeshError,
  type PolicyVersion,
  type PolicyVersionWithText,
} from '@meshwork/contract';
import { DEFAULT_POLICY_TEXT, type PolicyDocument, readPolicy } from '@meshwork/policy';
import type { Entry, Journal } from '@meshwork/store';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { versionRecord } from './policy-record.ts';

const VERSIONS_LOG = 'policy';
/** Apart, so that a list of versions does not read all their texts. */
const TEXTS_LOG = 'policy_text';

/** In the commit that puts it into effect. */
export function keepVersion(tx: Transaction, { text, document: _, ...version }: PolicyVersionWithText): void {
  const id = String(version.version);
  tx.keep({ log: VERSIONS_LOG, id, body: version });
  tx.keep({ log: TEXTS_LOG, id, body: { text } });
}

export async function listVersions(journal: Journal, call: Call<'acls.versions'>): Promise<Reply<'acls.versions'>> {
  const limit = call.query.limit ?? DEFAULT_LIMIT;
  const before = call.query.cursor === undefined ? undefined : startOf(call.query.cursor);
  const asked = { log: VERSIONS_LOG, order: 'newest_first', limit: limit + 1 } as const;
  const entries = await journal.range(before === undefined ? asked : { ...asked, after_seq: before });
  const items = entries.slice(0, limit).map(versionOf);
  if (entries.length > limit) {
    const last = entries[limit - 1] as Entry;
    return { body: { items, next_cursor: encodeCursor('acls.versions', last.seq) } };
  }
  // The default, which has no author, is the end of the list, on a page of its own when there is no more room.
  if (items.length === limit) return { body: { items, next_cursor: encodeCursor('acls.versions', 1) } };
  const { text: _, document: __, ...first } = firstVersion();
  return { body: { items: [...items, first], next_cursor: null } };
}

export async function versionNumbered(journal: Journal, text: string): Promise<PolicyVersionWithText> {
  if (text === '0') return firstVersion();
  const isNumber = /^[1-9]\d{0,14}$/.test(text);
  const [version, kept] = isNumber
    ? await Promise.all([journal.entry(VERSIONS_LOG, text), journal.entry(TEXTS_LOG, text)])
    : [];
  if (version === undefined || kept === undefined) throw new MeshError('not_found', `There is no version "${text}".`);
  const written = (JSON.parse(kept.body) as { readonly text: string }).text;
  const reading = readPolicy(written);
  if (!reading.ok) throw new Error(`Version ${text} of the policy was written once, and cannot be read any more.`);
  return {
    ...versionOf(version),
    text: written,
    document: versionRecord(undefined, written, reading.document).document,
  };
}

function versionOf({ body }: Entry): PolicyVersion {
  return JSON.parse(body) as PolicyVersion;
}

function firstVersion(): PolicyVersionWithText {
  return versionRecord(undefined, DEFAULT_POLICY_TEXT, readOnce(DEFAULT_POLICY_TEXT));
}

function startOf(cursor: string): number {
  const seq = decodeCursor('acls.versions', cursor, 'number');
  if (!Number.isSafeInteger(seq) || seq < 1) throw invalid('query/cursor', 'is not a cursor of this list');
  return seq;
}

/** What was written once was read then. */
function readOnce(text: string): PolicyDocument {
  const reading = readPolicy(text);
  if (reading.ok) return reading.document;
  throw new Error('A version of the policy was written once, and cannot be read any more.');
}
