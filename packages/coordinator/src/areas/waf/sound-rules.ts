/** What no schema can say of the rules that operators write. */
import { type FieldError, NAMED_WAF_PARTS, type WafCondition, type WafPart, type WafRule } from '@meshwork/contract';
import { faultsOfNetworks } from '../../mesh/sound-networks.ts';
import { faultOfPattern } from './sound-pattern.ts';

const NAMED: readonly WafPart[] = NAMED_WAF_PARTS;

export function faultsOfRules(rules: readonly WafRule[]): FieldError[] {
  const names = new Set<string>();
  return rules.flatMap((rule, index) => {
    const at = `/rules/${index}`;
    const isTwice = names.has(rule.name);
    names.add(rule.name);
    return [
      ...(isTwice ? [{ pointer: `${at}/name`, detail: `"${rule.name}" is there twice` }] : []),
      ...faultsOfScore(at, rule),
      ...rule.when.flatMap((condition, place) => faultsOfCondition(`${at}/when/${place}`, condition)),
    ];
  });
}

function faultsOfScore(at: string, { action, score }: WafRule): FieldError[] {
  if (action === 'score' && score === 0) {
    return [{ pointer: `${at}/score`, detail: 'must be 1 at least for the action score' }];
  }
  if (action !== 'score' && score !== 0) {
    return [{ pointer: `${at}/score`, detail: `must be 0: the action ${action} adds nothing` }];
  }
  return [];
}

function faultsOfCondition(at: string, condition: WafCondition): FieldError[] {
  return [
    ...faultsOfName(at, condition),
    ...faultsOfTest(at, condition),
    ...faultsOfValues(at, condition),
    ...faultsOfTransforms(at, condition),
  ];
}

/** Of conditions and exclusions alike. */
export function faultsOfName(
  at: string,
  { part, name }: { readonly part: WafPart; readonly name: string | null },
): FieldError[] {
  if (name === null || NAMED.includes(part)) return [];
  return [{ pointer: `${at}/name`, detail: `must be null: ${part} is there once in a request` }];
}

function faultsOfTest(at: string, { part, test }: WafCondition): FieldError[] {
  if (test === 'in_networks' && part !== 'address') {
    return [{ pointer: `${at}/test`, detail: `must be another one: only address is in networks, and ${part} is not` }];
  }
  if (part === 'address' && test !== 'in_networks') {
    return [{ pointer: `${at}/test`, detail: 'must be in_networks for address' }];
  }
  return [];
}

function faultsOfValues(at: string, { test, values }: WafCondition): FieldError[] {
  const pointer = `${at}/values`;
  if (test === 'is_there') return values.length === 0 ? [] : [{ pointer, detail: 'must be empty for is_there' }];
  if (values.length === 0) return [{ pointer, detail: `must have one at least for ${test}` }];
  const twice = values.flatMap((value, index) =>
    values.indexOf(value) < index ? [{ pointer: `${pointer}/${index}`, detail: `"${value}" is there twice` }] : [],
  );
  if (test === 'in_networks') return [...twice, ...faultsOfNetworks(pointer, values)];
  if (test !== 'matches') return twice;
  const patterns = values.flatMap((value, index) => {
    const detail = faultOfPattern(value);
    return detail === undefined ? [] : [{ pointer: `${pointer}/${index}`, detail }];
  });
  return [...twice, ...patterns];
}

function faultsOfTransforms(at: string, { part, test, transforms }: WafCondition): FieldError[] {
  const pointer = `${at}/transforms`;
  if (transforms.length === 0) return [];
  if (part === 'address') return [{ pointer, detail: 'must be empty for address' }];
  return test === 'is_there' ? [{ pointer, detail: 'must be empty for is_there' }] : [];
}
