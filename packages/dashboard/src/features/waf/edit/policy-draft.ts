/** What the form of a policy holds, and the request that it makes. */
import type { RequestOf } from '@meshwork/client';
import type { Scope, WafPolicy, WafRule } from '@meshwork/contract';
import { DEFAULT_WAF_RULES } from '@meshwork/contract/vocabulary';
import { mergePatch } from '../../../api/merge-patch.ts';
import { readSize, sizeText } from '../../../ui/sizes.ts';
import { isNamed } from '../waf-words.ts';

type Rules = Omit<WafPolicy, 'id' | 'exclusions' | 'used_by' | 'gateways' | 'created_at' | 'created_by' | 'revision'>;
/** All that a person decides of a policy, in the order of the API. */
export type PolicyBody = Rules;

interface RuleDraft {
  /** Of the row on the page. */
  readonly key: number;
  readonly rule: WafRule;
}

/** As people type it: sizes with a unit, and numbers that may still be missing. */
export interface PolicyDraft extends Omit<PolicyBody, 'note' | 'requests' | 'rules'> {
  readonly note: string;
  readonly requests: Omit<PolicyBody['requests'], 'body_bytes' | 'arguments_most' | 'argument_bytes' | 'file_bytes'> & {
    readonly body: string;
    /** Not a number: any. */
    readonly arguments_most: number;
    /** Empty: any. */
    readonly argument: string;
    readonly file: string;
  };
  readonly rules: readonly RuleDraft[];
}

type NewPolicy = RequestOf<'waf.create'>['body'];
type PolicyChange = RequestOf<'waf.update'>['body'];

export function newPolicy(scope: Scope): PolicyDraft {
  return draftOf({ name: '', note: null, scope, ...DEFAULT_WAF_RULES });
}

export function draftOf({ note, requests, rules, ...same }: PolicyBody): PolicyDraft {
  const { body_bytes, arguments_most, argument_bytes, file_bytes, methods, content_types, denied_extensions } =
    requests;
  const { name, scope, mode, early_blocking, sampling_percent, inspect_responses, paranoia, thresholds, clients } =
    same;
  return {
    ...{ name, scope, mode, early_blocking, sampling_percent, inspect_responses, paranoia, thresholds, clients },
    note: note ?? '',
    requests: {
      ...{ methods, content_types, denied_extensions },
      body: sizeText(body_bytes),
      arguments_most: arguments_most ?? Number.NaN,
      argument: argument_bytes === null ? '' : sizeText(argument_bytes),
      file: file_bytes === null ? '' : sizeText(file_bytes),
    },
    rules: rules.map((rule, key) => ({ key, rule })),
  };
}

/** Complete drafts only: a size that cannot be read is not a number. */
export function bodyOf({ note, requests, rules, ...same }: PolicyDraft): PolicyBody {
  const { name, scope, mode, early_blocking, sampling_percent, inspect_responses, paranoia, thresholds, clients } =
    same;
  const { methods, content_types, denied_extensions, body, arguments_most, argument, file } = requests;
  return {
    name,
    note: note.trim() === '' ? null : note.trim(),
    scope,
    ...{ mode, early_blocking, sampling_percent, inspect_responses, paranoia, thresholds },
    requests: {
      ...{ methods, content_types, denied_extensions },
      body_bytes: readSize(body) ?? Number.NaN,
      arguments_most: Number.isNaN(arguments_most) ? null : arguments_most,
      argument_bytes: argument === '' ? null : (readSize(argument) ?? Number.NaN),
      file_bytes: file === '' ? null : (readSize(file) ?? Number.NaN),
    },
    clients,
    rules: rules.map(({ rule }) => rule),
  };
}

/** What is wrong with a size. Null: nothing. */
export function sizeProblem(text: string): string | null {
  return text === '' || readSize(text) !== null ? null : 'Write a size such as 13 MB, 1 MiB, or a number of bytes.';
}

export const FIRST_CONDITION: WafRule['when'][number] = {
  ...{ part: 'path', name: null, test: 'begins_with', values: [], negated: false, transforms: [] },
};

export function withRule({ rules, ...draft }: PolicyDraft): PolicyDraft {
  const key = Math.max(-1, ...rules.map((one) => one.key)) + 1;
  return {
    ...draft,
    rules: [...rules, { key, rule: { name: '', when: [FIRST_CONDITION], action: 'block', score: 0 } }],
  };
}

/** A condition by another part or test: what the new one cannot have is forgotten. */
export function settled(condition: WafRule['when'][number]): WafRule['when'][number] {
  const { part, name, test, values } = condition;
  return { ...condition, name: isNamed(part) ? name : null, values: test === 'is_there' ? [] : values };
}

function isCompleteRule({ name, when }: WafRule): boolean {
  return name !== '' && when.every(({ test, values }) => test === 'is_there' || values.length > 0);
}

/** Whether everything that it needs is there. The coordinator checks the rest. */
export function isComplete(draft: PolicyDraft): boolean {
  const { name, paranoia, thresholds, sampling_percent, requests, rules } = draft;
  const numbers = [paranoia.block, paranoia.detect, thresholds.inbound, thresholds.outbound, sampling_percent];
  const sizes = [requests.body, requests.argument, requests.file];
  return (
    name !== '' &&
    requests.methods.length > 0 &&
    requests.body !== '' &&
    numbers.every(Number.isFinite) &&
    sizes.every((size) => sizeProblem(size) === null) &&
    rules.every(({ rule }) => isCompleteRule(rule))
  );
}

/** Members of these count one by one, as the API merges them. */
const MERGED: ReadonlySet<string> = new Set(['paranoia', 'thresholds', 'requests', 'clients']);

/** What a new one needs, and what is other than the defaults. */
export function newPolicyOf({ name, scope, ...body }: PolicyBody): NewPolicy {
  return { ...mergePatch<Omit<NewPolicy, 'name'>>(body, bodyOf(newPolicy(scope)), MERGED), name, scope };
}

/** Only what is other than before: what another person changes meanwhile stays. A scope stays as it was made. */
export function changesOf({ scope: _, ...now }: PolicyBody, before: PolicyBody): PolicyChange {
  return mergePatch<PolicyChange>(now, before, MERGED);
}
