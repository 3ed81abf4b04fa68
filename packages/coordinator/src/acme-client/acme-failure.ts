/** Why an authority did not do what it was asked (RFC 8555, section 6.7), in words that are safe to keep and to show. */

/** Ours: authorities quote what they were shown, which may be long. */
const MAX_DETAIL = 500;
const MAX_SUBPROBLEMS = 5;
const URN = 'urn:ietf:params:acme:error:';

export class AcmeFailure extends Error {
  /** Such as `rateLimited`. Null: it is none of ACME's. */
  readonly type: string | null;
  readonly retry_after_s: number | null;

  constructor(message: string, about: { readonly type?: string | null; readonly retry_after_s?: number | null } = {}) {
    super(message);
    this.type = about.type ?? null;
    this.retry_after_s = about.retry_after_s ?? null;
  }
}

/** What a problem document says: its type, its detail, and those of its parts. */
export function readProblem(given: unknown): { readonly type: string | null; readonly text: string } {
  if (typeof given !== 'object' || given === null) return { type: null, text: 'it did not say why' };
  const { type, detail, subproblems } = given as Readonly<Record<string, unknown>>;
  const known = typeof type === 'string' && type.startsWith(URN) ? plain(type.slice(URN.length), 60) : null;
  const own = [known, typeof detail === 'string' ? plain(detail) : null].filter((part) => part !== null).join(': ');
  const parts = Array.isArray(subproblems) ? subproblems.slice(0, MAX_SUBPROBLEMS) : [];
  const below = parts.map((part: unknown) => readProblem({ ...Object(part), subproblems: [] }).text);
  const text = [own || 'it did not say why', ...below].join('; ');
  return { type: known, text: plain(text, MAX_DETAIL * 2) };
}

/** On one line, without what cannot be seen, and not too long. */
export function plain(text: string, most = MAX_DETAIL): string {
  const line = text
    .slice(0, most * 4)
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
