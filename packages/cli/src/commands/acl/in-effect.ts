import type { Client } from '@meshwork/client';
import type { Policy } from '@meshwork/contract';
import { Option } from 'commander';
import { wholeNumber } from '../../arguments.ts';
import { Failure } from '../../failure.ts';

export const noteOption = () => new Option('--note <text>', 'why, shown in the version history');
export const ifVersionOption = () =>
  new Option('--if-version <n>', 'only if this version is still in effect').argParser(wholeNumber);

/**
 * The policy in effect, and what a write has to match. Without `--if-version` that closes only the moment between this
 * and the write; with it no change is lost since the version that the new text was made from.
 */
export async function policyToReplace(
  client: Client,
  expected: number | undefined,
): Promise<{ readonly before: Policy; readonly if_match: string | undefined }> {
  const { body: before, etag } = await client.call('acls.show');
  if (expected === undefined || expected === before.version) return { before, if_match: etag ?? undefined };
  throw new Failure(`version ${before.version} of the policy is in effect, not version ${expected}`, {
    exit: 'conflict',
    code: 'revision_mismatch',
    hint: `\`mesh acl diff ${expected}\` shows what has changed since`,
  });
}
