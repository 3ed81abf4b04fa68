import { GROUP_NAME_PATTERN } from '@meshwork/contract';
import type { UserDocument } from '../ledger/documents.ts';

/** Ours: providers name hundreds for some people. */
const MAX_PROVIDER_GROUPS = 200;
const GROUP = new RegExp(GROUP_NAME_PATTERN);

/** All groups of a person, each once: those that operators put them in, and those of the provider. */
export function groupsOf({ groups = [], provider_groups = [] }: UserDocument): string[] {
  return [...new Set([...groups, ...provider_groups])];
}

/** Those that an ingress can name. */
export function usableGroups(named: readonly string[]): string[] {
  return [...new Set(named.filter((group) => GROUP.test(group)))].sort().slice(0, MAX_PROVIDER_GROUPS);
}

export function losesGroups(before: UserDocument, after: UserDocument): boolean {
  const left = groupsOf(after);
  return groupsOf(before).some((group) => !left.includes(group));
}
