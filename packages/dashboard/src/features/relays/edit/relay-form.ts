/** What the form of a relay holds, and the request that it makes. */
import type { RequestOf } from '@meshwork/client';
import type { Relay } from '@meshwork/contract';
import { DEFAULT_RELAY_CAPACITY, DEFAULT_RELAY_PORT, DEFAULT_RELAY_TLS_PORT } from '@meshwork/contract/vocabulary';

export interface RelayForm {
  readonly kind: Relay['kind'];
  readonly name: string;
  /** By id or name. */
  readonly node: string;
  /** Of an external one. Empty: as it is. */
  readonly secret: string;
  readonly host: string;
  /** Text while it is no number. */
  readonly port: number | string;
  /** Empty: none. */
  readonly tls_port: number | string;
  readonly certificate: Relay['certificate'];
  readonly site: string;
  readonly capacity: number | string;
}

export const NEW_RELAY: RelayForm = {
  kind: 'node',
  name: '',
  node: '',
  secret: '',
  host: '',
  port: DEFAULT_RELAY_PORT,
  tls_port: DEFAULT_RELAY_TLS_PORT,
  certificate: 'mesh',
  site: '',
  capacity: DEFAULT_RELAY_CAPACITY,
};

/** `node`: the name of the node that runs it, which people know. */
export function formOf(relay: Relay, node: string): RelayForm {
  const { kind, name, host, port, tls_port, certificate, site, capacity } = relay;
  return {
    kind,
    name,
    node,
    secret: '',
    host,
    port,
    tls_port: tls_port ?? '',
    certificate,
    site: site ?? '',
    capacity,
  };
}

/** A relay of the other kind: a TURN server most often has a certificate of its own, and no port for TLS unless it is named. */
export function ofKind(form: RelayForm, kind: Relay['kind']): RelayForm {
  if (kind === 'external') return { ...form, kind, tls_port: '', certificate: 'public' };
  return { ...form, kind, tls_port: DEFAULT_RELAY_TLS_PORT, certificate: 'mesh' };
}

/** Whether everything that it needs is there. The coordinator checks the rest. */
export function isComplete(form: RelayForm, isNew: boolean): boolean {
  const { kind, name, node, secret, host, port, capacity } = form;
  const hasCarrier = kind === 'node' ? node !== '' : !isNew || secret !== '';
  return name !== '' && host !== '' && port !== '' && capacity !== '' && hasCarrier;
}

type NewRelay = RequestOf<'relays.create'>['body'];
type Change = RequestOf<'relays.update'>['body'];

export function newRelay(form: RelayForm): NewRelay {
  const { kind, name, node, secret } = form;
  return { name, ...(kind === 'node' ? { node } : { secret }), ...fieldsOf(form) };
}

/** Only what is other than before: what another person changes meanwhile stays. */
export function changesOf(form: RelayForm, before: RelayForm): Change {
  const [now, then] = [fieldsOf(form), fieldsOf(before)];
  const changed = Object.entries(now).filter(([field, value]) => value !== then[field as keyof typeof then]);
  return {
    ...Object.fromEntries(changed),
    ...(form.kind === 'node' && form.node !== before.node ? { node: form.node } : {}),
    ...(form.kind === 'external' && form.secret !== '' ? { secret: form.secret } : {}),
  };
}

function fieldsOf({ host, port, tls_port, certificate, site, capacity }: RelayForm) {
  return {
    host,
    port: Number(port),
    tls_port: tls_port === '' ? null : Number(tls_port),
    certificate,
    site: site === '' ? null : site,
    capacity: Number(capacity),
  };
}
