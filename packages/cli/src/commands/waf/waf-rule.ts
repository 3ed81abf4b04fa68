/** A rule of the operator in a line, as people type it and as it is shown: `no-xmlrpc: block if path equals /xmlrpc.php`. */
import type { WafRule } from '@meshwork/contract';
import { NAMED_WAF_PARTS, WAF_PARTS, WAF_TESTS } from '@meshwork/contract/vocabulary';
import { InvalidArgumentError } from 'commander';

type Condition = WafRule['when'][number];

const RULE = /^([^:]+):\s*(block|allow|score (\d{1,3})) if (.+)$/;
const CONDITION = /^([a-z_]+)(?::([^\s]+))? (not )?([a-z_]+)(?: (\S+))?$/;

/** A value with a space or a comma, and what is done to a value before, are given as the API takes it, as JSON. */
export function wafRule(text: string): WafRule {
  if (text.startsWith('{')) return ofJson(text);
  const [, name = '', action = '', points, conditions = ''] = RULE.exec(text.trim()) ?? [];
  if (conditions === '') throw wrong('Give it as NAME: ACTION if PART TEST VALUES');
  const when = conditions.split(/\s+and\s+/).map(condition);
  if (points !== undefined) return { name: name.trim(), when, action: 'score', score: Number(points) };
  return { name: name.trim(), when, action: action === 'allow' ? 'allow' : 'block', score: 0 };
}

function ofJson(text: string): WafRule {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('That is not valid JSON.');
  }
}

function condition(text: string): Condition {
  const [, partText, name = null, not, testText, values = ''] = CONDITION.exec(text.trim()) ?? [];
  const part = WAF_PARTS.find((one) => one === partText);
  const test = WAF_TESTS.find((one) => one === testText);
  if (part === undefined) throw wrong(`"${text.trim()}" names no part of a request (${WAF_PARTS.join(', ')})`);
  if (test === undefined) throw wrong(`"${text.trim()}" has no test (${WAF_TESTS.join(', ')})`);
  if (name !== null && !isNamed(part)) throw wrong(`${part} is there once, and has no name`);
  if ((values === '') !== (test === 'is_there')) throw wrong(`"${text.trim()}" needs values, or ${test} takes none`);
  return {
    part,
    name,
    test,
    values: values === '' ? [] : values.split(','),
    negated: not !== undefined,
    transforms: [],
  };
}

function isNamed(part: string): boolean {
  return NAMED_WAF_PARTS.some((one) => one === part);
}

function wrong(what: string): InvalidArgumentError {
  return new InvalidArgumentError(`${what}, such as 'no-xmlrpc: block if path equals /xmlrpc.php', or as JSON.`);
}

/** What `wafRule` reads, unless the rule needs JSON; then at least it reads well. */
export function ruleText({ name, when, action, score }: WafRule): string {
  return `${name}: ${action === 'score' ? `score ${score}` : action} if ${when.map(conditionText).join(' and ')}`;
}

function conditionText({ part, name, test, values, negated, transforms }: Condition): string {
  const words = [name === null ? part : `${part}:${name}`];
  if (transforms.length > 0) words.push(`(${transforms.join(', ')})`);
  if (negated) words.push('not');
  words.push(test);
  if (values.length > 0) words.push(values.join(','));
  return words.join(' ');
}
