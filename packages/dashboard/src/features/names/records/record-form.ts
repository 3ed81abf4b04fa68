/** What the form of a DNS record holds, and the request that it makes. */
import type { RequestOf } from '@meshwork/client';
import type { DnsRecord, Scope } from '@meshwork/contract';

type RecordKind = 'addresses' | 'alias';

export interface RecordForm {
  readonly kind: RecordKind;
  /** Without `.mesh`. */
  readonly name: string;
  readonly addresses: readonly string[];
  readonly cname: string;
  readonly scope: Scope;
  readonly note: string;
}

export function formOf(record: DnsRecord): RecordForm {
  const { name, addresses, cname, scope, note } = record;
  return { kind: cname === null ? 'addresses' : 'alias', name, addresses, cname: cname ?? '', scope, note: note ?? '' };
}

export function emptyForm(scope: Scope): RecordForm {
  return { kind: 'addresses', name: '', addresses: [], cname: '', scope, note: '' };
}

/** What people type is often the whole name, or has capitals. */
export function shortName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/\.mesh\.?$/, '');
}

/** The name that an alias leads to, as the coordinator takes it. */
export function wholeName(text: string): string {
  const name = shortName(text);
  return name === '' ? '' : `${name}.mesh`;
}

export function isComplete({ kind, name, addresses, cname }: RecordForm): boolean {
  return shortName(name) !== '' && (kind === 'alias' ? wholeName(cname) !== '' : addresses.length > 0);
}

export function newRecord(form: RecordForm): RequestOf<'dns.create'>['body'] {
  return { name: shortName(form.name), ...target(form), scope: form.scope, note: noteOf(form) };
}

/** Only what is other than before. Empty: nothing is. */
export function changesOf(form: RecordForm, record: DnsRecord): RequestOf<'dns.update'>['body'] {
  const isSame =
    form.kind === 'alias'
      ? wholeName(form.cname) === record.cname
      : record.cname === null && form.addresses.join() === record.addresses.join();
  return {
    ...(isSame ? {} : target(form)),
    ...(noteOf(form) === record.note ? {} : { note: noteOf(form) }),
  };
}

function target({ kind, addresses, cname }: RecordForm) {
  return kind === 'alias' ? { cname: wholeName(cname) } : { addresses: [...addresses] };
}

function noteOf({ note }: RecordForm): string | null {
  return note.trim() === '' ? null : note.trim();
}
