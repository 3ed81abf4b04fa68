import { ERROR_CODES, ERRORS } from '../errors.ts';
import { table } from './markdown.ts';

const yes = (flag: boolean) => (flag ? 'yes' : 'no');

/** `docs/api/errors.md`. */
export function errorsPage(): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, title, retryable, refusal, advice } = ERRORS[code];
    return [`\`${code}\``, String(status), title, yes(retryable), yes(refusal), advice];
  });
  return `# Errors

Every refusal is a problem document (RFC 9457, \`application/problem+json\`) with \`type\`, \`title\`, \`status\`,
\`detail\`, \`code\`, \`retryable\`, \`request_id\` and, where single fields are at fault, \`errors\`.

- Programs decide by \`code\` and \`retryable\`. The text is for people and may change.
- _Retryable_: the same request may succeed later, with nothing changed. Wait as long as \`Retry-After\` says.
- _Audited_: a decision about access, which goes into the audit trail.
- \`type\` leads to the code on the reference page that each coordinator serves at \`/docs\`.

${table(['code', 'status', 'meaning', 'retryable', 'audited', 'what to do'], rows)}
`;
}
