/** An exclusion as a person writes it: text until it is whole. */
import type { WafExclusionRules, WafParameter } from '@meshwork/contract';
import { isNamed } from '../waf-words.ts';

export interface ExclusionDraft {
  readonly by: 'rule' | 'tag';
  /** The number, or the tag. */
  readonly which: string;
  readonly host: string;
  readonly path: string;
  readonly below: boolean;
  /** Empty: the rules do not run at all. */
  readonly part: WafParameter['part'] | '';
  readonly name: string;
}

export const NEW_EXCLUSION: ExclusionDraft = {
  by: 'rule',
  which: '',
  host: '',
  path: '',
  below: false,
  part: 'argument',
  name: '',
};

/** What is missing or wrong, by field. What the coordinator knows better, it says itself. */
export function draftProblems({
  by,
  which,
  host,
  path,
}: ExclusionDraft): Partial<Record<keyof ExclusionDraft, string>> {
  return {
    ...(by === 'rule' && !/^\d{6}$/.test(which.trim()) && { which: 'A number of six digits, such as 942100.' }),
    ...(by === 'tag' && which.trim() === '' && { which: 'A tag, such as attack-sqli.' }),
    ...(host.trim() === '' && { host: 'A host name of an ingress.' }),
    ...(!path.trim().startsWith('/') && { path: 'It begins with a slash.' }),
  };
}

export function exclusionOf({ by, which, host, path, below, part, name }: ExclusionDraft): WafExclusionRules {
  const called = name.trim();
  return {
    rule: by === 'rule' ? Number(which.trim()) : null,
    tag: by === 'tag' ? which.trim() : null,
    host: host.trim().toLowerCase(),
    path: path.trim(),
    below,
    parameter: part === '' ? null : { part, name: isNamed(part) && called !== '' ? called : null },
  };
}
