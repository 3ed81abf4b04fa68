/** What another page suggests to add: `/access?suggest={"grant": …, "groups": …}`. It comes from a link, so it may be anything. */
import { EMPTY_FORM, type GrantForm, type Groups } from './new-grant.ts';

/** Null: it is no suggestion. Nothing is written by it: it fills in a form for review. */
export function readSuggestion(text: string, known: Groups): GrantForm | null {
  const value = parsed(text);
  if (!isRecord(value) || !isRecord(value.grant)) return null;
  const { from, to, allow, within } = value.grant;
  if (typeof from !== 'string' || typeof to !== 'string' || !isTexts(allow)) return null;
  const groups = isRecord(value.groups) ? value.groups : {};
  /** A group that is not there yet is known by what it would be made of. */
  const end = (name: string): string => {
    const selectors = groups[name];
    return !known.has(name) && isTexts(selectors) && selectors.length === 1 ? (selectors[0] ?? name) : name;
  };
  return { ...EMPTY_FORM, from: end(from), to: end(to), allow, within_boundary: within === 'boundary' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
