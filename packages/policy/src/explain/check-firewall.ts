import { type Decision, decide } from '../firewall/decide.ts';
import { hostRules } from '../firewall/host-rules.ts';
import type { Direction, Rate } from '../firewall/rule.ts';
import { beyond, type End, type Finding, pass, type Way } from './way.ts';
import { capital, noted } from './wording.ts';

/** What the host rules say: of the source about what leaves it, of the other end about what comes in or passes through. */
export function checkFirewall(way: Way): Finding | undefined {
  const { source, target, behind } = way;
  const from = addressOf(source, way);
  const to = behind?.address ?? (target === undefined ? undefined : addressOf(target, way));
  if (from === undefined || to === undefined) return undefined;
  const said = [askedOf(source, 'out', { way, from, to })];
  if (target !== undefined) said.push(askedOf(target, beyond(way) === undefined ? 'in' : 'forward', { way, from, to }));
  const drops = said.filter(({ decision }) => decision.action === 'drop');
  const [first] = drops;
  if (first !== undefined) {
    return {
      check: 'firewall',
      outcome: 'fail',
      detail: drops.map(dropWords).join(' '),
      clause: dropClause(first),
      fix: drops.map(dropFix),
    };
  }
  const remarks = said.flatMap(acceptWords);
  return pass('firewall', remarks.length > 0 ? remarks.join(' ') : 'No firewall rule drops it.');
}

interface Said {
  readonly end: End;
  readonly decision: Decision;
  readonly note: string | undefined;
}

interface Flow {
  readonly way: Way;
  readonly from: string;
  readonly to: string;
}

function askedOf(end: End, direction: Direction, { way, from, to }: Flow): Said {
  const { firewall, interface: name } = end.node;
  const rules = firewall.filter((rule) => rule.direction === direction);
  if (rules.length === 0) return { end, decision: { action: 'none', logged: [] }, note: undefined };
  const { protocol, port } = way.wanted;
  const packet = { direction, interface: 'mesh', from, to, protocol, ...(protocol === 'icmp' ? {} : { port }) };
  const decision = decide(hostRules(rules, name), packet);
  return { end, decision, note: firewall.find(({ id }) => id === decision.rule)?.note };
}

function addressOf({ node }: End, { family }: Way): string | undefined {
  return family === 4 ? node.address : (node.address6 ?? undefined);
}

function dropClause({ end, decision }: Said): string {
  return end.hidden
    ? `a firewall rule of ${end.name} drops it`
    : `firewall rule ${decision.rule} drops it on ${end.name}`;
}

function dropWords(said: Said): string {
  return `${capital(dropClause(said))}${said.end.hidden ? '' : noted(said.note)}.`;
}

function dropFix({ end, decision }: Said): string {
  return end.hidden
    ? `Ask an operator to change the firewall of ${end.name} so that it accepts this.`
    : `Change firewall rule ${decision.rule}, or put one before it that accepts this on ${end.name}.`;
}

/** Nothing for a node that has no rule about it, or may not be seen. A rate may be what limits the caller, so it is named. */
function acceptWords({ end, decision, note }: Said): readonly string[] {
  const { rule, rate, above } = decision;
  if (rule === undefined || end.hidden) return [];
  const accepts = `Firewall rule ${rule} accepts it on ${end.name}${noted(note)}`;
  if (rate === undefined) return [`${accepts}.`];
  const then = above?.action === 'drop' ? `; rule ${above.rule} drops what exceeds it` : '';
  return [`${accepts} up to ${rateWords(rate)}${then}.`];
}

function rateWords({ count, per }: Rate): string {
  return `${count} new ${count === 1 ? 'connection' : 'connections'} a ${per}`;
}
