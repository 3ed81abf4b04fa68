import type { GuardedPart } from '../rollback/guarded-part.ts';
import { certificates } from './certificates/engine.ts';
import type { Engine } from './engine.ts';
import { firewall } from './firewall/engine.ts';
import { gateway } from './gateway/engine.ts';
import { links } from './links/engine.ts';
import { names } from './names/engine.ts';
import { network } from './network/engine.ts';
import { portmap } from './portmap/engine.ts';
import { relay } from './relay/engine.ts';
import { wireguard } from './wireguard/engine.ts';

/**
 * All engines of a host, in the order in which a section is put into effect. The packet filter comes first: nothing may pass
 * while the rest is put right. They are removed in the opposite order.
 */
export const ENGINES: readonly Engine[] = [
  firewall,
  wireguard,
  network,
  links,
  names,
  certificates,
  relay,
  gateway,
  portmap,
];

/** Suspects are tried again in the opposite order too: the packet filter, which most often is the cause, last. */
export const GUARDED_PARTS: readonly GuardedPart[] = ENGINES.toReversed().flatMap(({ parts }) => parts);
