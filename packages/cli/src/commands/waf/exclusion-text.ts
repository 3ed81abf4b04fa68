/** Where rules do not look: as people type it, and in words. */
import type { WafExclusion, WafExclusionRules, WafParameter } from '@meshwork/contract';
import { NAMED_WAF_PARTS, WAF_PARTS } from '@meshwork/contract/vocabulary';
import { InvalidArgumentError } from 'commander';

/** `argument:q`, `cookie:session`, `body`. */
export function wafParameter(text: string): WafParameter {
  const at = text.indexOf(':');
  const [first, name] = at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
  const part = WAF_PARTS.find((one) => one === first);
  const isNamed = NAMED_WAF_PARTS.some((one) => one === part);
  if (part !== undefined && name !== '' && (name === null || isNamed)) return { part, name };
  throw new InvalidArgumentError(`Give it as argument:q, cookie:session or body. Parts are ${WAF_PARTS.join(', ')}.`);
}

export function parameterText(parameter: WafParameter | null): string {
  if (parameter === null) return '-';
  return parameter.name === null ? parameter.part : `${parameter.part}:${parameter.name}`;
}

/** What is left out, in a cell: `942100` or `attack-sqli`. */
export function rulesText({ rule, tag }: WafExclusionRules): string {
  return rule === null ? `tag ${tag}` : String(rule);
}

/** Where, in a cell: `git.example.net/search`, and all below it where that is so. */
export function placeText({ host, path, below }: WafExclusionRules): string {
  return `${host}${path}${below ? ' and below' : ''}`;
}

/** `rule 942100 does not look at argument:q of requests for git.example.net/search` */
export function exclusionText(exclusion: WafExclusionRules): string {
  const { rule, tag, parameter } = exclusion;
  const what = rule === null ? `rules with the tag ${tag}` : `rule ${rule}`;
  const does = rule === null ? 'do' : 'does';
  const leaves = parameter === null ? `${does} not run for` : `${does} not look at ${parameterText(parameter)} of`;
  return `${what} ${leaves} requests to ${placeText(exclusion)}`;
}

/** The same as flags, to be run again by hand. */
export function exclusionFlags({ rule, tag, host, path, below, parameter }: WafExclusionRules): string {
  return [
    rule === null ? `--tag ${tag}` : `--rule ${rule}`,
    `--host ${host}`,
    `--path ${quoted(path)}`,
    ...(below ? ['--below'] : []),
    ...(parameter === null ? [] : [`--parameter ${parameterText(parameter)}`]),
  ].join(' ');
}

/** For a shell. */
function quoted(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function exclusionState({ draft }: Pick<WafExclusion, 'draft'>): string {
  return draft ? 'draft' : 'in force';
}
