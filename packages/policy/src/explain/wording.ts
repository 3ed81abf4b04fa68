/** Phrases that all explanations share. */

/** `3 s`, `4 minutes`, `2 hours`, `5 days`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 120) return `${whole} s`;
  if (whole < 2 * 3600) return `${Math.floor(whole / 60)} minutes`;
  if (whole < 2 * 86_400) return `${Math.floor(whole / 3600)} hours`;
  return `${Math.floor(whole / 86_400)} days`;
}

/** `a, b and c`. */
export function listed(words: readonly string[], last = 'and'): string {
  if (words.length < 2) return words.join();
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** The same with an end to it: `a, b and 3 more`. */
export function listedUpTo(words: readonly string[], most: number, last = 'and'): string {
  if (words.length <= most) return listed(words, last);
  return `${words.slice(0, most).join(', ')} ${last} ${words.length - most} more`;
}

/** A sentence may begin with what does not begin with a capital letter only if it is a name. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const NOTE_AT_MOST = 80;

/** The note of an operator, in quotes and with a space before it. Empty: there is none. */
export function noted(note: string | undefined): string {
  const text = note?.replace(/\s+/g, ' ').trim() ?? '';
  if (text === '') return '';
  return ` ("${text.length > NOTE_AT_MOST ? `${text.slice(0, NOTE_AT_MOST)}…` : text}")`;
}

export function boundaryText({
  team,
  surface,
  environment,
}: Readonly<Record<'team' | 'surface' | 'environment', string>>) {
  return `${team}/${surface}/${environment}`;
}

/** What to do about a node that is offline. */
export function wakeUp({ name, hidden }: { readonly name: string; readonly hidden: boolean }): string {
  return hidden
    ? `Ask an operator to find out why ${name} is offline.`
    : `Find out why ${name} is offline: check its agent, and the network of its host.`;
}
