/**
 * The address of a caller as a node can use it: a socket that takes both families writes IPv4 inside IPv6, and names the
 * interface of a link-local address, which means nothing elsewhere. Null: not known.
 */
export function seenAs(address: string): string | null {
  const [plain = ''] = address.split('%');
  const [, mapped] = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(plain) ?? [];
  return mapped ?? (plain === '' ? null : plain);
}
