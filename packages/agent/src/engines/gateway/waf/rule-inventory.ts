/** What is in a rule set, and whether it may be loaded. */

export interface KnownRule {
  readonly id: number;
  readonly tags: readonly string[];
  /** 0: it has none. */
  readonly paranoia: number;
}

export class RuleInventory {
  readonly #rules: ReadonlyMap<number, KnownRule>;

  constructor(rules: Iterable<KnownRule>) {
    this.#rules = new Map([...rules].map((rule) => [rule.id, rule]));
  }

  has(id: number): boolean {
    return this.#rules.has(id);
  }

  of(id: number): KnownRule | undefined {
    return this.#rules.get(id);
  }

  withTag(tag: string): readonly number[] {
    return [...this.#rules.values()].filter(({ tags }) => tags.includes(tag)).map(({ id }) => id);
  }
}

/**
 * What the Core Rule Set is made of. Anything else has no place in it: directives that read or write files, fetch rules, run programs
 * or change how the engine works for all.
 */
const DIRECTIVES =
  /^(?:SecRule|SecAction|SecMarker|SecComponentSignature|SecRuleUpdateTargetById|SecRuleUpdateTargetByTag)$/;
const REFUSED_ACTIONS =
  /(?:^|[\s,"'])(exec|proxy|prepend|append|redirect|drop|pause|setenv|initcol:(?!global=global|ip=)[^,]*)\s*:/i;
const REFUSED_CONTROLS = /ctl\s*:\s*'?\s*(ruleEngine|auditEngine|auditLogParts|requestBodyAccess|requestBodyLimit)/i;
const REFUSED_OPERATORS = /"\s*!?@(inspectFile|fuzzyHash|rbl|gsbLookup|ipMatchF|ipMatchFromFile|geoLookup)\b/i;
const FROM_FILE = /@(?:pmf|pmFromFile)\s+([^"]*)"/gi;

interface ReadRules {
  readonly rules: readonly KnownRule[];
  /** Names of files that rules read, in the same folder. */
  readonly files: readonly string[];
}

/** Rejects what may not be loaded, with its place. */
export function readRules(file: string, text: string): ReadRules {
  const rules: KnownRule[] = [];
  const files = new Set<string>();
  for (const line of logicalLines(text)) {
    const [directive = ''] = line.split(/\s/, 1);
    if (!DIRECTIVES.test(directive)) throw new Error(`${file}: ${directive.slice(0, 40)} has no place in a rule set`);
    if (directive !== 'SecRule' && directive !== 'SecAction') continue;
    const id = Number(/[",\s']id\s*:\s*'?(\d{1,9})/.exec(line)?.[1] ?? 0);
    const refused = [REFUSED_ACTIONS, REFUSED_CONTROLS, REFUSED_OPERATORS].flatMap((one) => one.exec(line)?.[1] ?? []);
    if (refused[0] !== undefined && !KNOWN_USES.has(`${id} ${refused[0]}`)) {
      throw new Error(`${file}: rule ${id} uses ${refused[0]}, which has no place in a rule set`);
    }
    for (const [, names = ''] of line.matchAll(FROM_FILE)) {
      for (const name of names.trim().split(/\s+/)) {
        if (!/^[A-Za-z0-9][A-Za-z0-9._-]*\.data$/.test(name)) throw new Error(`${file}: rule ${id} reads ${name}`);
        files.add(name);
      }
    }
    if (id > 0) rules.push(ruleOf(id, line));
  }
  return { rules, files: [...files] };
}

/** Of the Core Rule Set 3.3: its sampling, which is never asked for, as ours comes before it. */
const KNOWN_USES: ReadonlySet<string> = new Set(['901450 ruleEngine']);

function ruleOf(id: number, line: string): KnownRule {
  const tags = [...line.matchAll(/[,"\s]tag\s*:\s*'([^']{1,100})'/g)].map(([, tag = '']) => tag);
  const level = tags.flatMap((tag) => /^paranoia-level\/([1-4])$/.exec(tag)?.[1] ?? []).map(Number)[0] ?? 0;
  return { id, tags, paranoia: level };
}

/** A backslash at the end continues a line. A comment is a line of its own. */
function logicalLines(text: string): readonly string[] {
  const lines: string[] = [];
  let open = '';
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    if (open === '' && (line === '' || line.startsWith('#'))) continue;
    if (line.endsWith('\\')) {
      open += `${line.slice(0, -1)} `;
      continue;
    }
    lines.push(open + line);
    open = '';
  }
  if (open !== '') lines.push(open);
  // A chained rule belongs to the one before it.
  return lines.reduce<string[]>((all, line) => {
    const before = all.at(-1);
    if (before !== undefined && /[,"\s]chain\s*[",]/.test(lastRuleOf(before)) && line.startsWith('SecRule ')) {
      all[all.length - 1] = `${before}\n${line}`;
    } else all.push(line);
    return all;
  }, []);
}

function lastRuleOf(rule: string): string {
  return rule.slice(rule.lastIndexOf('\n') + 1);
}
