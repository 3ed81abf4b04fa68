import type { RelaySection } from '@meshwork/contract';
import type { Stored, View } from '../../mesh/model.ts';
import { settingsOf } from '../../mesh/settings-of.ts';

/** Of relays that nodes run. Ours: the end of the ports that relays receive at, which operators let pass anyway. */
export const STUN_PORTS = { first: 65_528, last: 65_535 } as const;

/** Where nodes reach a relay. */
export function relayPlace(view: View, { id, body }: Stored<'relay'>): RelaySection {
  const { host, port, tls_port = null } = body;
  const server = serverName(view, body);
  const tls = tls_port === null || server === undefined ? {} : { tls: { port: tls_port, ...server } };
  const stun = body.node === null ? {} : { stun_ports: STUN_PORTS };
  return { name: id, host, port, ...tls, ...stun, ...anyAddress(view) };
}

/** Whether relays may be at addresses that no peer can have. */
export function anyAddress(view: View): Pick<RelaySection, 'any_address'> {
  return settingsOf(view).relays.allow_special_addresses ? { any_address: true } : {};
}

/** By what its certificate is known. Undefined: by nothing yet, because its node is gone. */
function serverName(view: View, { node, host, certificate = 'mesh' }: Stored<'relay'>['body']) {
  if (certificate === 'public' || node === null) return { server_name: host, trust: 'public' } as const;
  const name = view.get('node', node)?.body.name;
  return name === undefined ? undefined : ({ server_name: `${name}.mesh`, trust: 'mesh' } as const);
}
