/** What may be a secret, and is not recorded: by what it is called, where it stands, and what it looks like. */
import type { WafParameter } from '@meshwork/contract';

const SECRET_NAME =
  /pass(?:word|wd|phrase|code)?|pwd|secret|token|(?:^|[^a-z])key|api[_-]?key|apikey|session|sess_?id|auth|credential|credit|card|cvc|cvv|iban|otp|(?:^|[^a-z])pin(?:$|[^a-z])|jwt|signature|private/i;
const SECRET_HEADERS = /^(?:authorization|proxy-authorization|cookie|set-cookie)$/i;
/** A signed token, a private key, and the number of a card. */
const SECRET_LOOK = /eyJ[A-Za-z0-9_-]{8,}|-----BEGIN|(?:\d[ -]?){13,19}/;
/** In these stands all of a request, and not one value of it. */
const WHOLE: readonly WafParameter['part'][] = ['body'];

export function mayBeSecret(parameter: WafParameter, found: string): boolean {
  const { part, name } = parameter;
  if (part === 'cookie' || WHOLE.includes(part)) return true;
  if (name !== null && (SECRET_NAME.test(name) || SECRET_HEADERS.test(name))) return true;
  return SECRET_LOOK.test(found) || (part !== 'path' && SECRET_NAME.test(found));
}
