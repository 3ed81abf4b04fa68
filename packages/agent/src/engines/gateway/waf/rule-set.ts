/**
 * The rule set: read from a folder of the operator, and used from a private copy that is named by its content. What changes in the
 * folder, also half-way, changes nothing of what serves.
 */
import { createHash } from 'node:crypto';
import { constants, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type KnownRule, RuleInventory, readRules } from './rule-inventory.ts';

export interface RuleSet {
  /** Names its content. */
  readonly digest: string;
  /** `3.3.4`. */
  readonly version: string;
  readonly major: number;
  readonly inventory: RuleInventory;
  /** Of rules, in the order in which they are loaded. */
  readonly order: readonly string[];
  readonly files: ReadonlyMap<string, string>;
}

/**
 * What is loaded of it. Not: exclusions for some programs (903), exceptions (905) and reputation of addresses (910, 912), which look
 * beyond the request, the report (980), which the gateway makes itself, and files for the operator's own rules (900, 999).
 */
const LOADED = /^(?:REQUEST-(?:901|911|913|92\d|93\d|94\d)|RESPONSE-95\d)-[A-Z0-9-]+\.conf$/;
const SCORES_FIRST = /^REQUEST-901-/;
const JUDGES = /^REQUEST-949-/;
const MAX_FILES = 300;
const MAX_FILE_BYTES = 2_000_000;
const MAX_BYTES = 16_000_000;
const DATA = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.data$/;

/** Debian's layout and that of a release have the rules in the same place. Rejects what cannot be used, in words. */
export async function readRuleSet(folder: string): Promise<RuleSet> {
  const rules = join(folder, 'rules');
  const names = (await readdir(rules)).filter((name) => LOADED.test(name) || DATA.test(name)).sort();
  if (names.length > MAX_FILES) throw new Error(`${rules} has more than ${MAX_FILES} files`);
  const files = new Map<string, string>();
  let bytes = 0;
  for (const name of names) {
    const text = await plainFile(join(rules, name));
    bytes += text.length;
    if (bytes > MAX_BYTES) throw new Error(`${rules} is larger than ${MAX_BYTES} bytes`);
    files.set(name, text);
  }
  return ruleSetOf(files, rules);
}

export function ruleSetOf(found: ReadonlyMap<string, string>, place: string): RuleSet {
  const order = [...found.keys()].filter((name) => LOADED.test(name)).sort();
  const [first] = order;
  if (first === undefined || !SCORES_FIRST.test(first) || !order.some((name) => JUDGES.test(name))) {
    throw new Error(`${place} has no Core Rule Set: apt-get install modsecurity-crs`);
  }
  const files = new Map<string, string>();
  const known: KnownRule[] = [];
  for (const name of order) {
    const text = withAttributes(withoutValues(withoutBodies(found.get(name) ?? '')));
    const read = readRules(name, text);
    for (const data of read.files) {
      const content = found.get(data);
      if (content === undefined) throw new Error(`${place} lacks ${data}, which ${name} reads`);
      files.set(data, content);
    }
    files.set(name, text);
    known.push(...read.rules);
  }
  const signature = /^SecComponentSignature\s+"OWASP_CRS\/((\d{1,3})[\w.-]{0,40})"/m.exec(
    [...files.values()].join('\n'),
  );
  if (signature === null) throw new Error(`${place} does not say which version it is`);
  const [, version = '', major] = signature;
  const digest = createHash('sha256')
    .update(JSON.stringify([...files].sort()))
    .digest('hex')
    .slice(0, 32);
  return { digest, version, major: Number(major), inventory: new RuleInventory(known), order, files };
}

/** Some rules have answers recorded with their bodies. Ours is a record without any. */
function withoutBodies(text: string): string {
  return text.replaceAll(/^\s*ctl:auditLogParts=\+E,\\\r?\n/gm, '');
}

/** Records have fragments of what matched. Without what is around them, records stay short. */
function withoutValues(text: string): string {
  return text.replaceAll(/(\blogdata:'[^'\n]*)%\{MATCHED_VAR\}(?=')/g, '$1-');
}

/** Rule sets before version 4 look at the text of XML, and not at its attributes. */
function withAttributes(text: string): string {
  return text.includes('XML://@*') ? text : text.replaceAll(/\bXML:\/\*(?=[\s|"])/g, 'XML:/*|XML://@*');
}

/** No link, no device, and not larger than a file of rules is. */
async function plainFile(path: string): Promise<string> {
  const found = await lstat(path);
  if (!found.isFile()) throw new Error(`${path} is no plain file`);
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = await handle.stat();
    if (size > MAX_FILE_BYTES) throw new Error(`${path} is larger than ${MAX_FILE_BYTES} bytes`);
    const buffer = Buffer.alloc(size);
    const { bytesRead } = await handle.read(buffer, 0, size, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
