import { enclosingNetwork, formatNetwork, intersect, type Network, parseNetwork } from '@meshwork/addresses';
import { parseAllow } from '../document/allow.ts';
import { parseSelector } from '../document/selector.ts';
import { DEFAULT_BURST, type FirewallRule, PERIODS, type Rate } from './rule.ts';

interface RuleProblem {
  /** JSON pointer into the rule. */
  readonly pointer: string;
  readonly detail: string;
}

/** Our numbers. The kernel multiplies rate and burst, and above these it would refuse the whole table. */
const MAX_RATE = 100_000;
const MAX_BURST = 10_000;

/**
 * Everything that is wrong with a rule. The shape is the schema's business, the meaning is ours. A rule without problems
 * compiles; nothing that a person wrote reaches a rule set except what has been taken apart and understood here.
 */
export function checkRule(rule: FirewallRule): readonly RuleProblem[] {
  return [
    ...(isRuleId(rule.id) ? [] : [problem('/id', 'An id is up to 64 letters, digits, `_` and `-`.')]),
    ...checkNodes(rule.nodes),
    ...checkInterface(rule.interface),
    ...checkNetworks('/from', rule.from),
    ...checkNetworks('/to', rule.to),
    ...checkFamilies(rule),
    ...checkPorts(rule),
    ...checkRate(rule),
  ];
}

/** It is written into log lines and into the comments of a rule set, so nothing in it may mean anything there. */
function isRuleId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

/** Linux allows 15 bytes. Of the characters it allows we take those that mean nothing to nftables. */
export function isInterfaceName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,14}$/.test(text);
}

function checkNodes(nodes: readonly string[]): readonly RuleProblem[] {
  if (nodes.length === 0) return [problem('/nodes', 'It selects no node. `*` selects every node.')];
  return nodes.flatMap((text, index) => {
    const pointer = `/nodes/${index}`;
    const selector = parseSelector(text);
    if (selector === undefined || selector.kind === 'group') {
      const detail = `${quoted(text)} selects no node: use \`*\`, \`tag:<tag>\`, \`node:<name>\` or \`scope:<team>/<surface>/<environment>\`.`;
      return [problem(pointer, selector === undefined ? detail : `${detail} Groups belong to the policy.`)];
    }
    return nodes.indexOf(text) < index ? [problem(pointer, `${text} is there twice.`)] : [];
  });
}

function checkInterface(name: string): readonly RuleProblem[] {
  if (name === 'lo') return [problem('/interface', 'The loopback interface is never filtered.')];
  if (isInterfaceName(name)) return [];
  const detail = `${quoted(name)} is no interface: it is \`mesh\`, \`any\` or a name of up to 15 letters, digits, \`.\`, \`_\` and \`-\`.`;
  return [problem('/interface', detail)];
}

function checkNetworks(pointer: string, texts: readonly string[] | undefined): readonly RuleProblem[] {
  if (texts === undefined) return [];
  if (texts.length === 0) return [problem(pointer, 'An empty list matches nothing. Leave it out to match everything.')];
  const networks = texts.map((text) => parseNetwork(text));
  return texts.flatMap((text, index) => {
    const network = networks[index];
    if (network === undefined) return [problem(`${pointer}/${index}`, networkDetail(text))];
    const other = networks.findIndex((one, at) => at < index && one !== undefined && intersect(one, network));
    if (other < 0) return [];
    const same = texts[other] === text;
    const detail = same ? `${text} is there twice.` : `${text} overlaps ${texts[other]}: keep the wider one.`;
    return [problem(`${pointer}/${index}`, detail)];
  });
}

function networkDetail(text: string): string {
  const alone = text.includes(':') ? '128' : '32';
  const meant = enclosingNetwork(text.includes('/') ? text : `${text}/${alone}`);
  const detail = `${quoted(text)} is no network.`;
  if (meant === undefined) return `${detail} Write it as \`10.20.0.0/16\` or \`fd00::/8\`.`;
  return `${detail} Did you mean ${formatNetwork(meant)}?`;
}

/** A part of a rule that nothing can match is a mistake: no packet goes from IPv4 to IPv6. */
function checkFamilies({ from, to }: FirewallRule): readonly RuleProblem[] {
  const [sources, targets] = [familiesOf(from), familiesOf(to)];
  if (sources === undefined || targets === undefined) return [];
  return [4, 6].flatMap((family) => {
    if (sources.has(family) === targets.has(family)) return [];
    const [full, empty] = sources.has(family) ? (['from', 'to'] as const) : (['to', 'from'] as const);
    const detail = `\`${full}\` names an IPv${family} network and \`${empty}\` none, so that part can match no packet.`;
    return [problem(`/${full}`, detail)];
  });
}

/** Undefined: there is nothing to compare, because it is absent or wrong in itself. */
function familiesOf(texts: readonly string[] | undefined): ReadonlySet<number> | undefined {
  const networks = texts?.map((text) => parseNetwork(text));
  if (networks === undefined || networks.length === 0) return undefined;
  const read = networks.filter((network): network is Network => network !== undefined);
  return read.length < networks.length ? undefined : new Set(read.map(({ family }) => family));
}

function checkPorts({ protocol, ports }: FirewallRule): readonly RuleProblem[] {
  if (ports === undefined) return [];
  if (protocol !== 'tcp' && protocol !== 'udp') {
    return [problem('/ports', `Only \`tcp\` and \`udp\` have ports, and the protocol is \`${protocol}\`.`)];
  }
  if (ports.length === 0) return [problem('/ports', 'An empty list matches nothing. Leave it out to match all ports.')];
  const ranges = ports.map((text) => (text === '*' ? undefined : parseAllow(`${protocol}:${text}`)));
  return ports.flatMap((text, index) => {
    const range = ranges[index];
    if (range === undefined) {
      const detail = `${quoted(text)} is no port: write \`22\` or \`8000-8999\`, of 1 to 65535.`;
      return [problem(`/ports/${index}`, detail)];
    }
    const other = ranges.findIndex((one, at) => at < index && one && one.from <= range.to && range.from <= one.to);
    return other < 0 ? [] : [problem(`/ports/${index}`, `${text} overlaps ${ports[other]}.`)];
  });
}

function checkRate({ action, rate }: FirewallRule): readonly RuleProblem[] {
  if (rate === undefined) return [];
  if (action === 'drop') {
    const detail = 'A `drop` has no rate. To limit, `accept` at that rate and `drop` the same in the next rule.';
    return [problem('/rate', detail)];
  }
  return rateProblems(rate);
}

export function rateProblems({ count, per, burst = DEFAULT_BURST }: Rate): readonly RuleProblem[] {
  const known = PERIODS.includes(per) ? [] : [problem('/rate/per', `It is one of ${PERIODS.join(', ')}.`)];
  return [...checkCount('/rate/count', count, MAX_RATE), ...known, ...checkCount('/rate/burst', burst, MAX_BURST)];
}

function checkCount(pointer: string, value: number, most: number): readonly RuleProblem[] {
  if (Number.isInteger(value) && value >= 1 && value <= most) return [];
  return [problem(pointer, `It is a whole number from 1 to ${most}, and not ${value}.`)];
}

function problem(pointer: string, detail: string): RuleProblem {
  return { pointer, detail };
}

/** A value from the request, short enough to be repeated. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
