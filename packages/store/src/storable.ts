import { StoreError } from './store-error.ts';

/** PostgreSQL cannot index more than 2,704 bytes, and some indexes hold two names of three bytes a character. */
export const NAME_LIMIT = 400;

/** Bytes of a message. PostgreSQL passes on fewer than 8,000. */
export const MESSAGE_LIMIT = 7_900;

/** Whether both engines would keep the text as it is. */
function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

export function isName(name: string): boolean {
  return name.length >= 1 && name.length <= NAME_LIMIT && isText(name);
}

export function requireText(what: string, text: string): void {
  if (!isText(text)) {
    throw new StoreError('misuse', `${what} contains a raw NUL or half of a surrogate pair; escape it as JSON does`);
  }
}

export function requireName(what: string, name: string): void {
  if (name.length < 1 || name.length > NAME_LIMIT) {
    throw new StoreError('misuse', `${what} has ${name.length} characters; 1 to ${NAME_LIMIT} are possible`);
  }
  requireText(what, name);
}

export function requireMessage(message: string): void {
  const bytes = Buffer.byteLength(message);
  if (bytes < 1 || bytes > MESSAGE_LIMIT) {
    throw new StoreError('misuse', `a message has ${bytes} bytes; 1 to ${MESSAGE_LIMIT} are possible`);
  }
  requireText('a message', message);
}

export function requireLabel(what: string, label: string | null): void {
  if (label !== null) requireName(what, label);
}

/** Times, places and revisions are whole numbers: one engine would store a fraction, the other refuse it. */
export function requireWhole(what: string, value: number, least = Number.MIN_SAFE_INTEGER): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new StoreError(
      'misuse',
      `${what} is ${value}; it must be a whole number${least < 0 ? '' : ` from ${least}`}`,
    );
  }
}
