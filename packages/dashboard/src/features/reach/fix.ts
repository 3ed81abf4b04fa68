/** What an explanation suggests, and what of it can be done with one click. The words are the coordinator's, and stay as they are. */
export interface Fix {
  readonly text: string;
  /** A line for a terminal: `mesh node release ci-3`. */
  readonly command?: string;
  /** What `/access?suggest=` takes: a grant, and the groups that it needs. */
  readonly suggest?: string;
  /** It is about the policy, but not by a grant that could be filled in. */
  readonly is_policy?: boolean;
  /** Names that were perhaps meant. */
  readonly meant?: readonly string[];
  /** The node that needs another tag, by its name. */
  readonly retag?: string;
  /** The firewall rule that stands in the way. */
  readonly rule?: string;
}

export function readFix(text: string): Fix {
  const command = /: (mesh [^\n]+)$/.exec(text)?.[1];
  if (command !== undefined) return { text: text.slice(0, -command.length).replace(/:\s*$/, '.'), command };
  const suggest = suggestionIn(text);
  if (suggest !== undefined) return { text, suggest };
  const meant = /^Did you mean (.+)\?$/.exec(text)?.[1];
  if (meant !== undefined) return { text, meant: meant.split(/, | or /) };
  const retag = /^Give (\S+) the tag /.exec(text)?.[1];
  if (retag !== undefined) return { text, retag };
  const rule = /\b(firewall_[0-9a-z]{26})\b/.exec(text)?.[1];
  if (rule !== undefined) return { text, rule };
  return /\b(?:the grant|the group|policy)\b/.test(text) ? { text, is_policy: true } : { text };
}

function suggestionIn(text: string): string | undefined {
  const grant = asObject(/\{"from": .*?\]\}/.exec(text)?.[0]);
  if (grant === undefined) return undefined;
  const groups = asObject(`{${/, and with it the groups? (.*)\.$/m.exec(text)?.[1] ?? ''}}`) ?? {};
  return JSON.stringify({ grant, groups });
}

function asObject(text: string | undefined): object | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // a sentence with braces in it, and no grant
  }
}
