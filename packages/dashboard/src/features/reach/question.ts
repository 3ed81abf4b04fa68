/** What is asked: as it stands in the address bar, and as the API wants it. */
export interface Question {
  readonly from: string;
  readonly to: string;
  /** Empty: a service knows its own port, and everything else is pinged. */
  readonly port: string;
}

/** People write `22` and `TCP/22`, and mean `tcp:22`. What is none of that is asked as it is, and the answer says so. */
export function portMeant(text: string): string {
  const [, protocol = 'tcp', port] = /^(?:(tcp|udp)[:/ ]?)?(\d{1,5})$/.exec(text.trim().toLowerCase()) ?? [];
  return port === undefined ? text.trim() : `${protocol}:${port}`;
}

/** People copy `git-1:22` and `git-1:tcp:22` from elsewhere. Undefined: it is only a destination. */
export function withPort(to: string): { readonly to: string; readonly port: string } | undefined {
  const [, name, port] =
    /^([a-z0-9-]+|\d+\.\d+\.\d+\.\d+|\[[0-9a-f:]+\]):((?:(?:tcp|udp):)?\d{1,5}|icmp)$/i.exec(to.trim()) ?? [];
  if (name === undefined || port === undefined || name === 'service') return undefined;
  return { to: name.replace(/^\[|\]$/g, ''), port: portMeant(port) };
}
