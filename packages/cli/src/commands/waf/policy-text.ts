/** A policy for people: what it does, where, and where rules do not look. */
import type { WafPolicy } from '@meshwork/contract';
import { amount } from '../../amount.ts';
import type { Output } from '../../output.ts';
import { scopeText } from '../../rights-text.ts';
import { fields, table } from '../../table.ts';
import { when } from '../../when.ts';
import { exclusionState, parameterText, placeText, rulesText } from './exclusion-text.ts';
import { ruleText } from './waf-rule.ts';

type Fact = readonly [name: string, value: string];

const MODES: Readonly<Record<WafPolicy['mode'], string>> = {
  off: 'off: requests are not inspected',
  detect: 'detect: requests are inspected and recorded, and all of them pass',
  block: 'block: requests that reach a threshold are refused',
};

export function policyText(policy: WafPolicy, out: Pick<Output, 'strong'>): string {
  const section = (headings: readonly string[], rows: string[][]) =>
    rows.length === 0 ? [] : [table(headings, rows, (text) => out.strong(text))];
  return [
    fields(facts(policy)),
    ...section(
      ['#', 'RULE OF YOUR OWN'],
      policy.rules.map((rule, index) => [String(index + 1), ruleText(rule)]),
    ),
    ...section(
      ['EXCLUSION', 'STATE', 'RULES', 'PARAMETER', 'PLACE', 'BY', 'NOTE'],
      policy.exclusions.map((one) => [
        one.id,
        exclusionState(one),
        rulesText(one),
        parameterText(one.parameter),
        placeText(one),
        one.created_by.name,
        one.note ?? '-',
      ]),
    ),
    ...section(
      ['INGRESS', 'HOST NAME', 'PATH'],
      policy.used_by.map(({ name, hostname, path }) => [name, hostname, path]),
    ),
    ...section(
      ['GATEWAY', 'IN FORCE', 'RULE SET', 'PROBLEM'],
      policy.gateways.map(({ name, in_force, rule_set, problem }) => [
        name,
        in_force ? 'yes' : 'no',
        rule_set ?? '-',
        problem ?? '-',
      ]),
    ),
  ].join('\n\n');
}

function facts(policy: WafPolicy): Fact[] {
  const { paranoia, thresholds, inspect_responses, sampling_percent } = policy;
  return [
    ['id', policy.id],
    ['name', policy.name],
    ...(policy.note === null ? [] : [['note', policy.note] as const]),
    ['mode', MODES[policy.mode]],
    ['paranoia', `${paranoia.block}, recorded up to ${paranoia.detect}`],
    [
      'threshold',
      `${thresholds.inbound} for requests${inspect_responses ? `, ${thresholds.outbound} for answers` : ''}`,
    ],
    ['answers', inspect_responses ? 'inspected' : 'not inspected'],
    ...(policy.early_blocking ? [['early blocking', 'on'] as const] : []),
    ...(sampling_percent === 100 ? [] : [['inspected', `${sampling_percent} of 100 requests`] as const]),
    ...requestFacts(policy.requests),
    ...clientFacts(policy.clients),
    ['scope', scopeText(policy.scope)],
    ...(policy.used_by.length === 0 ? [['used by', 'no ingress'] as const] : []),
    ['created', `${when(policy.created_at)} by ${policy.created_by.name}`],
  ];
}

function requestFacts(requests: WafPolicy['requests']): Fact[] {
  const { methods, content_types, body_bytes, arguments_most, argument_bytes, file_bytes, denied_extensions } =
    requests;
  return [
    ['methods', methods.join(', ')],
    ...(content_types.length === 0 ? [] : [['content types', content_types.join(', ')] as const]),
    ['largest body', amount(body_bytes)],
    ...(arguments_most === null ? [] : [['arguments', `${arguments_most} at most`] as const]),
    ...(argument_bytes === null ? [] : [['longest argument', amount(argument_bytes)] as const]),
    ...(file_bytes === null ? [] : [['largest file', amount(file_bytes)] as const]),
    ...(denied_extensions.length === 0 ? [] : [['refused files', denied_extensions.join(', ')] as const]),
  ];
}

function clientFacts({ trusted, denied, allowed_countries, denied_countries }: WafPolicy['clients']): Fact[] {
  return [
    ...(trusted.length === 0 ? [] : [['not inspected', trusted.join(', ')] as const]),
    ...(denied.length === 0 ? [] : [['refused', denied.join(', ')] as const]),
    ...(allowed_countries.length === 0 ? [] : [['only from', allowed_countries.join(', ')] as const]),
    ...(denied_countries.length === 0 ? [] : [['refused from', denied_countries.join(', ')] as const]),
  ];
}

/** In a cell: how many of the gateways that should have it prove that they do. */
export function inForce({ gateways }: Pick<WafPolicy, 'gateways'>): string {
  return gateways.length === 0 ? '-' : `${gateways.filter(({ in_force }) => in_force).length} of ${gateways.length}`;
}

/** In a cell: what uses it. */
export function usedBy({ used_by }: Pick<WafPolicy, 'used_by'>): string {
  return [...new Set(used_by.map(({ name }) => name))].join(', ') || '-';
}
