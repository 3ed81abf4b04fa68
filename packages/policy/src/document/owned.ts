import { isNodeName, isTag } from './selector.ts';

/** What a key of `tag_owners` stands for. */
type OwnedKey =
  | { readonly kind: 'tag'; readonly tag: string }
  /** Every tag that begins like this: `role:`. */
  | { readonly kind: 'tags'; readonly prefix: string }
  | { readonly kind: 'node'; readonly name: string };

/** `tag:role:dba`, `tag:role:*`, `node:bastion-1`. Undefined: it is none of them. */
export function parseOwnedKey(text: string): OwnedKey | undefined {
  if (text.startsWith('node:')) {
    const name = text.slice('node:'.length);
    return isNodeName(name) ? { kind: 'node', name } : undefined;
  }
  if (!text.startsWith('tag:')) return undefined;
  const tag = text.slice('tag:'.length);
  if (isTag(tag)) return { kind: 'tag', tag };
  const prefix = tag.endsWith(':*') ? tag.slice(0, -1) : '';
  // A prefix is one when a value behind it makes a tag.
  return isTag(`${prefix}x`) && prefix !== '' ? { kind: 'tags', prefix } : undefined;
}

const HOST = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const LONGEST_HOST = 253;

/** `shop.example.com`, `*.example.com` for every name below it, or `*` for every name. In lower case, IDNs as `xn--`. */
export function isDomainPattern(text: string): boolean {
  if (text === '*') return true;
  const host = text.startsWith('*.') ? text.slice(2) : text;
  return host.length <= LONGEST_HOST && HOST.test(host);
}

/** The pattern that was meant by another spelling: capitals, a dot at the end, letters beyond ASCII. */
export function meantDomain(text: string): string | undefined {
  if (text.length > LONGEST_HOST || /[/:@?#\\]/.test(text)) return undefined;
  const [below, host] = text.startsWith('*.') ? ['*.', text.slice(2)] : ['', text];
  const ascii = URL.parse(`http://${host.trim().replace(/\.$/, '')}/`)?.host ?? '';
  const meant = `${below}${ascii}`;
  return isDomainPattern(meant) ? meant : undefined;
}

/** The patterns that cover a host name, the most specific first. */
export function* patternsOver(hostname: string): Generator<string> {
  yield hostname;
  for (let dot = hostname.indexOf('.'); dot >= 0; dot = hostname.indexOf('.', dot + 1)) {
    yield `*${hostname.slice(dot)}`;
  }
  yield '*';
}
