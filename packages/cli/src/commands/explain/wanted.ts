import { isIPv6 } from 'node:net';
import { InvalidArgumentError } from 'commander';

/** What is to be reached. `port` undefined: a service knows its own, and for the rest it is `icmp`. */
export interface Wanted {
  readonly to: string;
  readonly port: string | undefined;
}

const FORM = 'Give it as git-1:22, git-1:udp:53, git-1:icmp, service:git-ssh, 10.20.1.1:443 or [fd00::1]:443.';

/** `TO[:PORT]`: a bare number is a port of TCP, and an address with colons stands in brackets when a port follows. */
export function wanted(text: string): Wanted {
  if (isIPv6(text)) return { to: text, port: undefined };
  const [, bracketed, service, plain, port] =
    /^(?:\[([^\]]+)\]|(service:[^:]+)|([^:[\]]+))(?::(.+))?$/s.exec(text) ?? [];
  if (bracketed !== undefined && !isIPv6(bracketed)) throw new InvalidArgumentError(FORM);
  const to = bracketed ?? service ?? plain;
  if (to === undefined) throw new InvalidArgumentError(FORM);
  return { to, port: port === undefined ? undefined : wantedPort(port) };
}

/** `22`, `tcp:22`, `udp:53` or `icmp`. */
export function wantedPort(text: string): string {
  if (text === 'icmp') return text;
  const [, protocol = 'tcp', digits] = /^(?:(tcp|udp):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port < 1 || port > 65_535) throw new InvalidArgumentError(FORM);
  return `${protocol}:${port}`;
}
