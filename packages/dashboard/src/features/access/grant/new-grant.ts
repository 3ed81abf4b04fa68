/** From what a form says to a grant, with the groups that have to be there for it. A grant knows only groups and networks. */
import { groupNameFor } from '../text/groups.ts';
import type { Grant } from '../text/insert-grant.ts';

export interface GrantForm {
  /** A group, or a selector that a group can be made of: `tag:role:dev`, `node:git-1`, `scope:platform/git/*`, `*`. */
  readonly from: string;
  /** The same, or a network. */
  readonly to: string;
  readonly allow: readonly string[];
  readonly within_boundary: boolean;
  /** As the form has it: local time. Empty: never. */
  readonly expires: string;
  readonly note: string;
}

export const EMPTY_FORM: GrantForm = { from: '', to: '', allow: [], within_boundary: false, expires: '', note: '' };

export type Groups = ReadonlyMap<string, readonly string[]>;

export type BuiltGrant =
  | { readonly ok: true; readonly grant: Grant; readonly groups: Readonly<Record<string, readonly string[]>> }
  | { readonly ok: false; readonly errors: Readonly<Partial<Record<keyof GrantForm, string>>> };

const SELECTOR = /^(?:\*|tag:[a-z0-9._-]+(?::[a-z0-9._-]+)?|node:[a-z0-9-]+|scope:[^/\s]+\/[^/\s]+\/[^/\s]+)$/;
const NETWORK = /^[0-9a-fA-F:.]+\/\d{1,3}$/;
const ALLOW = /^(?:\*|icmp|(?:tcp|udp):(?:\*|\d{1,5}(?:-\d{1,5})?))$/;

export function buildGrant(form: GrantForm, known: Groups): BuiltGrant {
  const errors: Partial<Record<keyof GrantForm, string>> = {};
  const made = new Map<string, readonly string[]>();
  const groupOf = (field: 'from' | 'to'): string => {
    const written = form[field].trim();
    if (known.has(written)) return written;
    if (field === 'to' && NETWORK.test(written)) return written;
    if (!SELECTOR.test(written)) {
      errors[field] =
        written === ''
          ? 'Required'
          : `No group named ${written}. For a tag, use tag:${written}; for a node, node:${written}`;
      return written;
    }
    const all = new Map([...known, ...made]);
    const same = [...all].find(([, selectors]) => selectors.length === 1 && selectors[0] === written)?.[0];
    const name = same ?? groupNameFor(written === '*' ? 'everyone' : written, new Set(all.keys()));
    if (same === undefined) made.set(name, [written]);
    return name;
  };
  const [from, to] = [groupOf('from'), groupOf('to')];
  const allow = form.allow.map((one) => one.trim()).filter((one) => one !== '');
  const wrong = allow.find((one) => !ALLOW.test(one));
  if (allow.length === 0) errors.allow = 'Enter at least one port, such as tcp:22';
  else if (wrong !== undefined) errors.allow = `${wrong} is not valid. Use tcp:22, udp:53, tcp:8000-8999, icmp or *`;
  const expires = form.expires === '' ? undefined : new Date(form.expires);
  if (expires !== undefined && Number.isNaN(expires.getTime())) errors.expires = 'Not a valid date';
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  const note = form.note.trim();
  const grant: Grant = {
    from,
    to,
    allow,
    ...(form.within_boundary ? { within: 'boundary' as const } : {}),
    ...(expires === undefined ? {} : { expires: `${expires.toISOString().slice(0, 19)}Z` }),
    ...(note === '' ? {} : { note }),
  };
  return { ok: true, grant, groups: Object.fromEntries(made) };
}
