import { type Decision, decide } from '../firewall/decide.ts';
import { hostRules } from '../firewall/host-rules.ts';
import type { Direction, Rate } from '../firewall/rule.ts';
import type { Condition } from './explanation.ts';
import { together } from './fixes.ts';
import { addressOf, beyond, type End, type Finding, pass, type Way } from './way.ts';
import { capital, noted } from './wording.ts';

interface FirewallFindings {
  readonly firewall: Finding | undefined;
  readonly conditions: readonly Condition[];
}

/** What the host rules say: of the source about what leaves it, of the other end about what comes in or passes through. */
export function checkFirewall(way: Way): FirewallFindings {
  const { source, target, behind } = way;
  const from = addressOf(source, way);
  const to = behind?.address ?? (target === undefined ? undefined : addressOf(target, way));
  if (target === undefined || from === undefined || to === undefined) return { firewall: undefined, conditions: [] };
  const said = [
    askedOf(source, 'out', { way, from, to }),
    askedOf(target, beyond(way) === undefined ? 'in' : 'forward', { way, from, to }),
  ];
  const drops = said.filter(({ decision }) => decision.action === 'drop');
  const [first] = drops;
  if (first !== undefined) {
    const firewall: Finding = {
      check: 'firewall',
      outcome: 'fail',
      detail: drops.map(dropWords).join(' '),
      clause: dropClause(first),
      fix: together(drops.map(dropFix)),
    };
    return { firewall, conditions: [] };
  }
  const remarks = said.flatMap(acceptWords);
  return {
    firewall: pass('firewall', remarks.length > 0 ? remarks.join(' ') : 'No firewall rule drops it.'),
    conditions: said.flatMap(conditionsOf),
  };
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

/** Each rate that it may use up, if a rule drops what exceeds them. */
function conditionsOf({ end, decision }: Said): readonly Condition[] {
  const limits: Decision[] = [];
  let last: Decision = decision;
  while (last.rate !== undefined && last.above !== undefined) {
    limits.push(last);
    last = last.above;
  }
  if (last.action !== 'drop') return [];
  const { looked } = end.node;
  const dropped = looked?.answered ? (looked.dropped.get(last.rule ?? '') ?? null) : null;
  return limits.flatMap(({ rule, rate }) => {
    if (rule === undefined || rate === undefined) return [];
    const named = end.hidden ? 'a rule that you may not see' : rule;
    const limit = `${nameOf(end)} accepts it up to ${rateWords(rate)}`;
    const detail = `${limit}${droppedWords(end, last.rule, dropped)}.`;
    return [{ node: end.name, rule: named, up_to: { count: rate.count, per: rate.per }, dropped, detail }];
  });
}

function droppedWords({ hidden }: End, rule: string | undefined, dropped: number | null): string {
  const who = hidden ? 'Another rule there' : `Rule ${rule}`;
  if (dropped === null) return `. ${who} drops what exceeds that`;
  return `. ${who} drops what exceeds that: ${dropped} ${dropped === 1 ? 'packet' : 'packets'} so far`;
}

function nameOf({ name, hidden }: End): string {
  return hidden ? capital(name) : name;
}

/** `5 new connections a second`. */
export function rateWords({ count, per }: Pick<Rate, 'count' | 'per'>): string {
  return `${count} new ${count === 1 ? 'connection' : 'connections'} ${per === 'hour' ? 'an' : 'a'} ${per}`;
}
