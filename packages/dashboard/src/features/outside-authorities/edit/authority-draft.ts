/** What the form of an outside authority holds, and the requests that it makes. */
import type { RequestOf } from '@meshwork/client';
import type { OutsideAuthority, Scope } from '@meshwork/contract';
import { KNOWN_AUTHORITIES } from '@meshwork/contract/vocabulary';

type NewAuthority = RequestOf<'outside_authorities.create'>['body'];
type AuthorityChange = RequestOf<'outside_authorities.update'>['body'];

/** Empty texts: nothing. */
export interface AuthorityDraft {
  readonly name: string;
  readonly scope: Scope;
  readonly directory: string;
  readonly staging_directory: string;
  readonly contacts: readonly string[];
  readonly challenge: OutsideAuthority['challenge'];
  readonly roots: string;
  readonly eab_key_id: string;
  /** Forgotten once it was taken. Empty: the one that is there stays. */
  readonly eab_key: string;
  readonly agree_terms: boolean;
}

export type KnownName = keyof typeof KNOWN_AUTHORITIES;
/** One whose directory people type. */
export const OTHER = 'other';

export function newDraft(scope: Scope): AuthorityDraft {
  const rest = {
    contacts: [],
    challenge: 'http-01',
    roots: '',
    eab_key_id: '',
    eab_key: '',
    agree_terms: false,
  } as const;
  return { name: '', scope, ...rest, ...directoriesOf('letsencrypt') };
}

/** Those of one that people know by its name. */
export function directoriesOf(name: KnownName): Pick<AuthorityDraft, 'directory' | 'staging_directory'> {
  const { directory, staging_directory } = KNOWN_AUTHORITIES[name];
  return { directory, staging_directory: staging_directory ?? '' };
}

export function knownBy(directory: string): KnownName | typeof OTHER {
  const names = Object.keys(KNOWN_AUTHORITIES) as KnownName[];
  return names.find((name) => KNOWN_AUTHORITIES[name].directory === directory) ?? OTHER;
}

export function draftOf(authority: OutsideAuthority): AuthorityDraft {
  const { name, scope, directory, staging_directory, contacts, challenge, roots, eab_key_id } = authority;
  return {
    ...{ name, scope, directory, contacts, challenge },
    staging_directory: staging_directory ?? '',
    roots: roots ?? '',
    eab_key_id: eab_key_id ?? '',
    eab_key: '',
    agree_terms: false,
  };
}

/** Null: nothing that shows here. The coordinator checks the rest. */
export function addressProblem(text: string): string | null {
  return text === '' || text.startsWith('https://') ? null : 'It has to begin with https://';
}

export function isComplete(
  { name, directory, staging_directory, agree_terms }: AuthorityDraft,
  isNew: boolean,
): boolean {
  const isSound = [directory, staging_directory].every((one) => addressProblem(one) === null);
  return name !== '' && directory !== '' && isSound && (agree_terms || !isNew);
}

const orNull = (text: string) => (text.trim() === '' ? null : text);

function fieldsOf({ name, contacts, challenge, staging_directory, roots, eab_key_id, eab_key }: AuthorityDraft) {
  return {
    ...{ name, challenge, contacts: [...contacts] },
    staging_directory: orNull(staging_directory),
    roots: orNull(roots),
    ...(eab_key_id === '' ? {} : { eab_key_id }),
    ...(eab_key.trim() === '' ? {} : { eab_key: eab_key.trim() }),
  };
}

export function newAuthorityOf(draft: AuthorityDraft): NewAuthority {
  const { scope, directory, agree_terms } = draft;
  return { ...fieldsOf(draft), scope, directory, agree_terms };
}

/** Only what is other than before: what another person changes meanwhile stays. */
export function changesOf(draft: AuthorityDraft, before: AuthorityDraft): AuthorityChange {
  const old: Readonly<Record<string, unknown>> = fieldsOf(before);
  const changed = Object.entries(fieldsOf(draft)).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(old[field]),
  );
  return { ...(Object.fromEntries(changed) as AuthorityChange), ...(draft.agree_terms ? { agree_terms: true } : {}) };
}
