/** Rules of the operator. */
import { exactNetwork, formatNetwork, parseNetwork } from '@meshwork/addresses';
import type { WafRules } from '@meshwork/contract';
import { FLAGS_FROM, numberIn, RULES_FROM } from './rule-numbers.ts';
import { isCollection, isKnownBeforeBody, variableOf } from './seclang-parts.ts';
import { literally, patternOf, quotedText, secRule, type Test } from './seclang-text.ts';

type WafRule = WafRules['rules'][number];
type WafCondition = WafRule['when'][number];

const TRANSFORMS: Readonly<Record<WafCondition['transforms'][number], string>> = {
  lowercase: 'lowercase',
  url_decode: 'urlDecodeUni',
  html_decode: 'htmlEntityDecode',
  base64_decode: 'base64DecodeExt',
  compress_spaces: 'compressWhitespace',
};

/** Rules run in their order. So one that needs no body is asked before it is read only if those before it are, too. */
export function operatorRules(place: number, rules: readonly WafRule[], scoreVariable: string): readonly string[] {
  const first = rules.findIndex(({ when }) => !when.every(isKnownBeforeBody));
  return rules.flatMap((rule, index) => {
    const phase = first === -1 || index < first ? 1 : 2;
    return oneRule(place, index, phase, rule, scoreVariable);
  });
}

/** A condition that is negated holds when nothing passes its test. The engine would say so when anything fails it. */
function oneRule(place: number, index: number, phase: 1 | 2, rule: WafRule, scoreVariable: string): readonly string[] {
  const positive = rule.when.filter(({ negated }) => !negated);
  const negative = rule.when.filter(({ negated }) => negated);
  const flag = (number: number) => `mesh_met_${place}_${index}_${number}`;
  const noted = negative.map((condition, number) =>
    secRule({
      id: numberIn(place, FLAGS_FROM + index * 10 + number),
      phase,
      when: [testOf(condition)],
      actions: ['pass', 'nolog', `setvar:tx.${flag(number)}=1`],
    }),
  );
  const tests = [
    ...negative.map((_, number) => ({ variables: `&TX:${flag(number)}`, operator: '@eq 0' })),
    ...positive.map(testOf),
  ] as unknown as readonly [Test, ...Test[]];
  if (tests.length === 0) throw new Error(`the rule ${JSON.stringify(rule.name)} has no condition`);
  const { actions, effects } = consequences(rule, scoreVariable);
  return [...noted, secRule({ id: numberIn(place, RULES_FROM + index), phase, when: tests, actions, effects })];
}

function consequences({ name, action, score }: WafRule, scoreVariable: string) {
  if (action === 'allow') return { actions: ['pass', 'nolog'], effects: ['ctl:ruleEngine=Off'] };
  const said = ['log', 'auditlog', `msg:${quotedText(name)}`, "severity:'CRITICAL'"];
  if (action === 'block') return { actions: ['deny', 'status:403', ...said, "rev:'block'"], effects: [] };
  if (!Number.isInteger(score) || score < 0) throw new Error(`${score} is no score`);
  return { actions: ['pass', ...said, `rev:'${score}'`], effects: [`setvar:tx.${scoreVariable}=+${score}`] };
}

/** Of all rules, as the engine gets them. */
export function patternsOf(rules: readonly WafRule[]): readonly string[] {
  const matching = rules.flatMap(({ when }) => when).filter(({ test }) => test === 'matches');
  return matching.flatMap(({ values }) => values.map(patternOf));
}

function testOf({ test, values, transforms, part, name }: WafCondition): Test {
  const variable = variableOf({ part, name });
  const changed = transforms.map((one) => TRANSFORMS[one]);
  if (test === 'is_there') {
    if (isCollection({ part, name })) return { variables: `&${variable}`, operator: '@gt 0' };
    return { variables: variable, operator: '@rx .' };
  }
  if (values.length === 0) throw new Error(`the test ${JSON.stringify(test)} has no value`);
  if (test === 'in_networks') return { variables: variable, operator: `@ipMatch ${networksText(values)}` };
  return { variables: variable, operator: `@rx ${pattern(test, values)}`, transforms: changed };
}

function pattern(test: Exclude<WafCondition['test'], 'is_there' | 'in_networks'>, values: readonly string[]): string {
  if (test === 'matches') return `(?:${values.map(patternOf).join('|')})`;
  const any = `(?:${values.map(literally).join('|')})`;
  return {
    equals: `\\A${any}\\z`,
    begins_with: `\\A${any}`,
    ends_with: `${any}\\z`,
    contains: any,
  }[test];
}

function networksText(networks: readonly string[]): string {
  return networks
    .map((text) => {
      const network = exactNetwork(text) ?? parseNetwork(text);
      if (network === undefined) throw new Error(`${JSON.stringify(text)} is no network`);
      return formatNetwork(network);
    })
    .join(',');
}
