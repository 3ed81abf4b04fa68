import type { Egress } from '../plan/lab-spec.ts';
import { type NatKind, remembersMappings } from '../plan/nat-kinds.ts';
import type { PlannedSite } from '../plan/site-plan.ts';
import { LAN } from './attach.ts';

/**
 * What the router of a site does, in nftables: it translates what goes out, and drops what was not begun inside, without an
 * answer. A drop matters: a packet that is refused would be remembered as a flow, and the hole that the inside
 * punches afterwards would get another port.
 *
 * Linux itself remembers flows: a mapping is in each, and what is in no flow stays outside. So `masquerade` is
 * endpoint-independent while it can keep ports, and always filters by address and port. The other kinds with an
 * endpoint-independent mapping keep tables of their own, which packets fill on their way out (`remembered`): an inside
 * address and port always has the same port outside, and what comes to that port finds the way back without a flow.
 */
export function routerRules(site: PlannedSite): string {
  const { four, six, egress } = site;
  return [
    ...(four === null ? [] : [table('ip', [...translation(site, four), ...firewall(egress)])]),
    ...(six === null ? [] : [table('ip6', firewall(egress))]),
  ].join('');
}

export function routerSettings({ four, six }: PlannedSite): string[] {
  return [
    ...(four === null
      ? []
      : ['net.ipv4.ip_forward=1', 'net.ipv4.conf.all.send_redirects=0', `net.ipv4.conf.${LAN}.send_redirects=0`]),
    ...(six === null ? [] : ['net.ipv6.conf.all.forwarding=1']),
  ];
}

type Four = NonNullable<PlannedSite['four']>;

/** RFC 4787, REQ-5: a mapping that is not used lives at least two minutes, better five. */
const FORGETS_AFTER = '5m';
/** Ports that are given one after the other: by a symmetric router to every flow, by others to an inside whose own port is taken. */
const POOL = { first: 40_000, size: 1_000 } as const;

/** Linux's own kinds, in its own words. */
const MASQUERADES: Readonly<Partial<Record<NatKind, string>>> = {
  masquerade: 'masquerade',
  'masquerade-random': 'masquerade random',
  'masquerade-fully-random': 'masquerade fully-random',
};

function translation(site: PlannedSite, four: Four): string[] {
  const masquerade = MASQUERADES[site.nat];
  if (masquerade !== undefined) return sourceNat([`oifname "eth0" ${masquerade}`]);
  if (!remembersMappings(site.nat)) {
    return sourceNat([`oifname "eth0" meta l4proto udp ${nextPort(four)}`, 'oifname "eth0" masquerade']);
  }
  return remembered(site, four);
}

function remembered({ nat, hairpin }: PlannedSite, four: Four): string[] {
  const { address, lan } = four;
  const timed = `flags dynamic,timeout; timeout ${FORGETS_AFTER}; size 65535;`;
  const toMapping = `ip daddr ${address} meta l4proto udp`;
  const back = 'dnat ip to udp dport map @inside';
  /** Packets that get a mapping. Between two nodes inside, both are translated, so that each sees the other as from outside. */
  const leaving = ['oifname "eth0"', ...(hairpin ? [`oifname "${LAN}" ip saddr ${lan} ct status dnat`] : [])];
  const translated = ['oifname "eth0"', ...(hairpin ? [`oifname "${LAN}" ct original ip saddr ${lan}`] : [])];
  return [
    `map inside { type inet_service : ipv4_addr . inet_service; ${timed} }`,
    `map outside { type ipv4_addr . inet_service : inet_service; ${timed} }`,
    `set taken { type inet_service; ${timed} }`,
    `set sent_to { type inet_service . ipv4_addr; ${timed} }`,
    ...chain('back', 'nat hook prerouting priority dstnat', [
      ...(nat === 'full-cone' ? [`iifname "eth0" ${toMapping} ${back}`] : []),
      ...(nat === 'address-restricted' ? [`iifname "eth0" ${toMapping} udp dport . ip saddr @sent_to ${back}`] : []),
      ...(hairpin ? [`iifname "${LAN}" ${toMapping} ${back}`] : []),
    ]),
    ...sourceNat([
      ...leaving.flatMap((packets) => [
        `${packets} meta l4proto udp snat ip to ${address} : ip saddr . udp sport map @outside`,
        `${packets} udp sport != @taken udp sport != ${POOL.first}-${POOL.first + POOL.size - 1} snat ip to ${address}`,
        `${packets} meta l4proto udp ${nextPort(four)}`,
      ]),
      'oifname "eth0" masquerade',
    ]),
    // Behind the translation, where the port outside is known.
    ...chain('remember', 'filter hook postrouting priority srcnat + 10', [
      ...translated.flatMap((packets) => [
        ...(['original', 'reply'] as const).flatMap((direction) => {
          const within = `ct ${direction} ip saddr . ct ${direction} proto-src`;
          return [
            `${packets} meta l4proto udp ct direction ${direction} update @inside { udp sport : ${within} }`,
            `${packets} meta l4proto udp ct direction ${direction} update @outside { ${within} : udp sport }`,
          ];
        }),
        `${packets} meta l4proto udp update @taken { udp sport }`,
        `${packets} meta l4proto udp update @sent_to { udp sport . ip daddr }`,
      ]),
    ]),
  ];
}

function nextPort({ address }: Four): string {
  const ports = Array.from({ length: POOL.size }, (_, index) => `${index} : ${POOL.first + index}`);
  return `snat ip to ${address} : numgen inc mod ${POOL.size} map { ${ports.join(', ')} }`;
}

function firewall(egress: Egress): string[] {
  return [
    ...chain('in', 'filter hook input priority filter', ['iifname "eth0" ct state new,invalid drop']),
    ...chain('through', 'filter hook forward priority filter', [
      'iifname "eth0" ct status dnat accept',
      'iifname "eth0" ct state new,invalid drop',
      ...REFUSED[egress].map((packets) => `oifname "eth0" ${packets} drop`),
    ]),
  ];
}

const REFUSED: Readonly<Record<Egress, readonly string[]>> = {
  everything: [],
  'tcp-only': ['meta l4proto != tcp'],
  'tcp-443-only': ['meta l4proto != tcp', 'tcp dport != 443'],
};

function sourceNat(rules: readonly string[]): string[] {
  return chain('out', 'nat hook postrouting priority srcnat', rules);
}

function chain(name: string, hook: string, rules: readonly string[]): string[] {
  return [`chain ${name} {`, `type ${hook}; policy accept;`, ...rules, '}'];
}

function table(family: 'ip' | 'ip6', lines: readonly string[]): string {
  return `table ${family} router {\n${lines.join('\n')}\n}\n`;
}
