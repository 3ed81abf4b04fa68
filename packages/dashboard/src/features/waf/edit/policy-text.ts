/** A policy as text: what the API takes, for those who know it better than a form. */
import { mergePatch } from '../../../api/merge-patch.ts';
import { bodyOf, draftOf, type PolicyBody, type PolicyDraft } from './policy-draft.ts';

/** Its scope cannot be changed, and is there for a new one only. */
export function textOf(draft: PolicyDraft, isNew: boolean): string {
  const { name, note, scope, ...rules } = bodyOf(draft);
  return JSON.stringify({ name, note, ...(isNew ? { scope } : {}), ...rules }, null, 2);
}

type Read = { readonly body: PolicyBody } | { readonly problem: string };

const GROUPS = ['paranoia', 'thresholds', 'requests', 'clients'] as const;

/** `before`: what stands for everything that the text does not name, as the API merges it. */
export function readText(text: string, before: PolicyBody): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `Not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (!isObject(value)) return { problem: 'A policy is a JSON object.' };
  const given: Readonly<Record<string, unknown>> = value;
  const groups = GROUPS.map((name) => {
    const group = given[name];
    // What is no object is for the coordinator to refuse.
    return [name, isObject(group) ? { ...before[name], ...group } : (group ?? before[name])] as const;
  });
  return { body: { ...before, ...value, ...Object.fromEntries(groups) } as PolicyBody };
}

/** Null: the form cannot show all that the text says. */
export function draftOfText(body: PolicyBody): PolicyDraft | null {
  try {
    const draft = draftOf(body);
    return Object.keys(mergePatch(body, bodyOf(draft), new Set())).length === 0 ? draft : null;
  } catch {
    return null; // a list where an object should be, or the like: the coordinator says what is wrong with it
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
