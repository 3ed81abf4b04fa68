/** A rule as a form has it, and as the API takes it. */
import type { FirewallRule } from '@meshwork/contract';

export interface RuleForm {
  readonly nodes: readonly string[];
  readonly direction: FirewallRule['direction'];
  readonly interface: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly protocol: FirewallRule['protocol'];
  readonly ports: readonly string[];
  readonly action: FirewallRule['action'];
  readonly rate: RateForm;
  readonly enabled: boolean;
  readonly note: string;
}

interface RateForm {
  /** Null: no limit. */
  readonly count: number | null;
  readonly per: NonNullable<FirewallRule['rate']>['per'];
  /** Null: the coordinator's default. */
  readonly burst: number | null;
}

export const NEW_RULE: RuleForm = {
  nodes: [],
  direction: 'in',
  interface: 'any',
  from: [],
  to: [],
  protocol: 'tcp',
  ports: [],
  action: 'drop',
  rate: { count: null, per: 'minute', burst: null },
  enabled: true,
  note: '',
};

export function formOf(rule: FirewallRule): RuleForm {
  const { nodes, direction, protocol, action, enabled, rate } = rule;
  return {
    nodes,
    direction,
    interface: rule.interface,
    from: rule.from ?? [],
    to: rule.to ?? [],
    protocol,
    ports: rule.ports ?? [],
    action,
    rate: { count: rate?.count ?? null, per: rate?.per ?? 'minute', burst: rate?.burst ?? null },
    enabled,
    note: rule.note ?? '',
  };
}

/** What a rule says. What is empty is left out; what has no meaning with the rest (ports of icmp, the rate of a drop) too. */
export function ruleOf(form: RuleForm) {
  const { from, to, ports, rate } = given(form);
  return {
    ...sure(form),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
    ...(ports === null ? {} : { ports }),
    ...(rate === null ? {} : { rate }),
  };
}

/** The same as a change of a rule: null removes a value. */
export function patchOf(form: RuleForm) {
  return { ...sure(form), ...given(form) };
}

function sure({ nodes, direction, interface: name, protocol, action, enabled, note }: RuleForm) {
  const said = note.trim();
  return {
    nodes: [...nodes],
    direction,
    interface: name.trim(),
    protocol,
    action,
    enabled,
    note: said === '' ? null : said,
  };
}

function given({ from, to, ports, protocol, action, rate: { count, per, burst } }: RuleForm) {
  const list = (texts: readonly string[]) => (texts.length === 0 ? null : [...texts]);
  const isLimited = count !== null && action !== 'drop';
  return {
    from: list(from),
    to: list(to),
    ports: hasPorts(protocol) ? list(ports) : null,
    rate: isLimited ? { count, per, ...(burst === null ? {} : { burst }) } : null,
  };
}

export function hasPorts(protocol: FirewallRule['protocol']): boolean {
  return protocol === 'tcp' || protocol === 'udp';
}

/** As a preview wants a rule that is there already. */
export function asNew({
  nodes,
  direction,
  interface: name,
  from,
  to,
  protocol,
  ports,
  action,
  rate,
  enabled,
  note,
}: FirewallRule) {
  return {
    nodes,
    direction,
    interface: name,
    protocol,
    action,
    enabled,
    note,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(ports === undefined ? {} : { ports }),
    ...(rate === undefined ? {} : { rate }),
  };
}
