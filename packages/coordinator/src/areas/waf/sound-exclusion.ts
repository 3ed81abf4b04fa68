/** What no schema can say of an exclusion: where it holds, and that it turns off nothing that the rest stands on. */
import { type FieldError, isScoringRule, isScoringTag, type WafExclusionRules } from '@meshwork/contract';
import { faultsOfName } from './sound-rules.ts';

/** Letters that nothing escapes in a path of one spelling (RFC 3986, section 2.3). */
const UNRESERVED = /^[A-Za-z0-9._~-]$/;

export function faultsOfExclusion(at: string, exclusion: WafExclusionRules): FieldError[] {
  const { parameter } = exclusion;
  const detail = faultOfPath(exclusion.path);
  return [
    ...faultsOfRule(at, exclusion),
    ...(detail === undefined ? [] : [{ pointer: `${at}/path`, detail }]),
    ...(parameter === null ? [] : faultsOfName(`${at}/parameter`, parameter)),
  ];
}

function faultsOfRule(at: string, { rule, tag }: WafExclusionRules): FieldError[] {
  if (rule === null && tag === null) return [{ pointer: `${at}/rule`, detail: 'is needed, or a tag' }];
  if (rule !== null && tag !== null) return [{ pointer: `${at}/tag`, detail: 'must be null beside a rule' }];
  if (rule !== null && isScoringRule(rule)) {
    return [{ pointer: `${at}/rule`, detail: `${rule} adds up or judges: without it nothing would ever be refused` }];
  }
  if (tag !== null && isScoringTag(tag)) {
    return [
      {
        pointer: `${at}/tag`,
        detail: `"${tag}" stands on rules that add up or judge, or on most of them; name a narrower one`,
      },
    ];
  }
  return [];
}

/** As the service gets it, in one spelling: anything else would never be asked for, or mean another place. */
export function faultOfPath(path: string): string | undefined {
  if (path.includes('//')) return `"${path}" has an empty part; write one slash`;
  if (path.split('/').some((part) => part === '.' || part === '..')) return `"${path}" has "." or ".." as a part`;
  for (const [written = '', digits] of path.matchAll(/%([0-9A-Fa-f]{2})?/g)) {
    if (digits === undefined) return `"${path}" has a "%" without two digits`;
    const letter = String.fromCharCode(Number.parseInt(digits, 16));
    if (letter === '/' || letter === '\\') return `"${path}" has an escaped slash, ${written}`;
    if (UNRESERVED.test(letter)) return `"${path}" has "${written}"; write "${letter}"`;
    if (letter < ' ' || letter === '\x7f') return `"${path}" has an escaped control character, ${written}`;
  }
  return undefined;
}
