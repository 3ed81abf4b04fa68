import { type Attention, type Overview, PRESENT_STATES } from '@meshwork/contract';
import type { Tint } from '../../output.ts';
import { fields } from '../../table.ts';
import { hanging, padEnd } from '../../terminal-text.ts';
import { ago } from '../../when.ts';
import { counted } from '../../wording.ts';

type Tinted = (tint: Tint, text: string) => string;

const WIDTH = 80;
const TINTS = { critical: 'bad', warning: 'doubtful', notice: 'good' } as const;
const WIDEST = 'critical'.length;

/** What there is, a line for each kind that the caller may read, then what needs a person, with what to do about it. */
export function overviewText(overview: Overview, tinted: Tinted): string {
  const { attention, attention_total } = overview;
  if (attention_total === 0) return `${counts(overview)}\n\n${tinted('good', 'Nothing needs attention.')}`;
  const more = attention_total - attention.length;
  return [
    counts(overview),
    ...attention.map((one) => attentionText(one, tinted)),
    ...(more === 0 ? [] : [`and ${more} more`]),
  ].join('\n\n');
}

function counts({ nodes, operations, policy, explain, relays, ingress, tokens }: Overview): string {
  const lines: [string, string][] = [['nodes', nodeText(nodes)]];
  if (operations !== null) {
    lines.push(['operations', `${operations.open} in progress, ${operations.failed_lately} failed recently`]);
  }
  if (policy !== null) {
    const { version, groups, grants, tests } = policy;
    lines.push([
      'policy',
      `version ${version}: ${counted(grants, 'grant')}, ${counted(groups, 'group')}, ${counted(tests, 'test')}`,
    ]);
  }
  // Undefined: an older coordinator.
  if (explain != null) {
    const { checked, disagreed, unknown } = explain;
    lines.push(['explain', `${checked} checked, ${disagreed} disagreed, ${unknown} unknown`]);
  }
  if (relays !== null) lines.push(['relays', `${relays.healthy} of ${relays.total} healthy`]);
  if (ingress !== null) lines.push(['ingress', `${ingress.served} of ${ingress.total} served`]);
  if (tokens !== null) lines.push(['tokens', `${tokens.active} active, ${tokens.expiring} expire within a week`]);
  return fields(lines);
}

function nodeText({ total, by_state, drifting }: Overview['nodes']): string {
  const states = PRESENT_STATES.filter((state) => by_state[state] > 0).map((state) => `${by_state[state]} ${state}`);
  const parts = [...states.toReversed(), ...(drifting === 0 ? [] : [`${drifting} drift`])];
  return parts.length === 0 ? '0' : `${total}: ${parts.join(', ')}`;
}

function attentionText({ severity, title, detail, since, fix }: Attention, tinted: Tinted): string {
  const word = severity.toUpperCase();
  const start = `${padEnd(word, WIDEST)}  `;
  const indent = ' '.repeat(start.length);
  const [first = '', ...rest] = hanging(start, since === null ? title : `${title} (${ago(since)})`, WIDTH);
  return [
    first.replace(word, tinted(TINTS[severity], word)),
    ...rest,
    ...hanging(indent, detail, WIDTH),
    ...(fix === null ? [] : hanging(`${indent}Fix: `, fix, WIDTH)),
  ].join('\n');
}
