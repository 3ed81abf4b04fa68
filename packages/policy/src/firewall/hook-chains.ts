import type { Direction } from './rule.ts';
import { block } from './table-text.ts';

/** Without what an error by ICMP says about an open flow, large packets vanish. */
const ERRORS = 'ct state related meta l4proto { icmp, icmpv6 } accept';
const ANSWERS = 'ct direction reply ct state established';
const NEIGHBOURS = 'nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert';

/**
 * The hooks of the kernel, in the order that `compile-node.ts` describes. Every packet of the host comes through them, and
 * WireGuard's twice, inside and outside of the tunnel: so what the verdict cannot depend on is not evaluated. Where no host
 * rule looks, what does not come through the mesh passes at once.
 */
export function hookChains(
  meshInterface: string,
  hasRules: (direction: Direction) => boolean,
): readonly (readonly string[])[] {
  const mesh = `"${meshInterface}"`;
  const hook = (name: string) => `type filter hook ${name} priority filter; policy accept;`;
  return [
    block('chain input', [hook('input'), ...(hasRules('in') ? ruledInput(mesh) : freeInput(mesh))]),
    block('chain output', [hook('output'), ...(hasRules('out') ? ruledOutput(mesh) : freeOutput(mesh))]),
    block('chain forward', [hook('forward'), ...(hasRules('forward') ? ruledForward(mesh) : freeForward(mesh))]),
  ];
}

function freeInput(mesh: string): readonly string[] {
  return [`iifname != ${mesh} accept`, `${ANSWERS} accept`, ERRORS, 'goto policy_in'];
}

function ruledInput(mesh: string): readonly string[] {
  return [
    'iifname "lo" accept',
    `${ANSWERS} accept`,
    ERRORS,
    neighboursPass(`iifname != ${mesh}`),
    'jump host_in',
    `iifname ${mesh} goto policy_in`,
  ];
}

function freeOutput(mesh: string): readonly string[] {
  return [`oifname != ${mesh} accept`, `${ANSWERS} goto policy_replies`];
}

function ruledOutput(mesh: string): readonly string[] {
  return [
    'oifname "lo" accept',
    `oifname ${mesh} ${ANSWERS} goto policy_replies`,
    `${ANSWERS} accept`,
    ERRORS,
    neighboursPass(`oifname != ${mesh}`),
    'jump host_out',
  ];
}

function freeForward(mesh: string): readonly string[] {
  return [`iifname != ${mesh} oifname != ${mesh} accept`, ...forward(mesh, [])];
}

function ruledForward(mesh: string): readonly string[] {
  return forward(mesh, ['jump host_forward']);
}

function forward(mesh: string, rules: readonly string[]): readonly string[] {
  return [
    ERRORS,
    `oifname ${mesh} ${ANSWERS} goto policy_answers`,
    `${ANSWERS} accept`,
    ...rules,
    `iifname ${mesh} goto policy_forward`,
    `oifname ${mesh} goto denied_forward`,
  ];
}

/** The protocol first: nearly no packet is one of them. */
function neighboursPass(where: string): string {
  return `meta l4proto icmpv6 ${where} ip6 hoplimit 255 icmpv6 type { ${NEIGHBOURS} } accept`;
}
