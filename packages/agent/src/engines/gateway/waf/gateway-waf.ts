/**
 * The WAF of the gateway: requests of routes that name a policy are inspected by ModSecurity with the Core Rule Set, inside of nginx.
 *
 *   gateway-waf.ts        which policies can be served, and by which rules
 *   rules-text.ts         the rules that nginx loads: base-rules.ts, policy-rules.ts, operator-rules.ts, exclusion-rules.ts
 *   seclang-text.ts       all syntax of ModSecurity, with seclang-parts.ts and rule-numbers.ts
 *   transaction-id.ts     how a request says by which policy it is judged
 *   rule-set.ts           the Core Rule Set of the operator's folder, with rule-inventory.ts, and rule-set-store.ts, which copies it
 *   country-file.ts       whether the operator's file says where addresses are
 *   engine-trial.ts       has the engine load rules before they serve
 *   waf-rules.ts          what stands in the configuration of nginx, with waf-input.ts
 *   lua/own-answers.ts    what a request is answered that is refused
 *   audit-log.ts          what was found (../followed-log.ts): audit-record.ts, secrets.ts, and event-queue.ts until the coordinator has it
 *   ../lua/bounded-log.ts keeps the log short while no agent reads it
 *   test-bench.ts         tries a request on a policy, apart from what serves
 */
import { createHash } from 'node:crypto';
import { access, rm } from 'node:fs/promises';
import { parseNetwork } from '@meshwork/addresses';
import type { IngressAssignment, WafAssignment, WafObserved } from '@meshwork/contract';
import { isId } from '@meshwork/contract/vocabulary';
import type { RunCommand } from '../../../host/run-command.ts';
import { messageOf } from '../../../message-of.ts';
import type { Workers } from '../followed-log.ts';
import { GATEWAY_FOLDERS } from '../gateway-files.ts';
import type { GatewayFolder } from '../gateway-folder.ts';
import { AuditLog } from './audit-log.ts';
import { lackOfCountries } from './country-file.ts';
import { tryRules } from './engine-trial.ts';
import { patternsOf } from './operator-rules.ts';
import { RuleSetStore } from './rule-set-store.ts';
import { type LoadedRuleSet, rulesText } from './rules-text.ts';
import { isSwept, policiesFile, policyFile, ruleSetFolder, WAF_FOLDER } from './waf-files.ts';
import { WAF_MODULE, type WafInput } from './waf-input.ts';

interface GatewayWafOptions {
  readonly folder: GatewayFolder;
  /** Of the operator: where the rule set is. */
  readonly rules: string;
  /** Path of the operator's data file of countries. */
  readonly countries: string | undefined;
  readonly run: RunCommand;
  readonly now: () => number;
  readonly warn: (problem: string) => void;
  /** There are events to report. */
  readonly news: () => void;
}

export interface PreparedWaf {
  /** Undefined: no route names a policy, and nothing of the WAF is loaded. */
  readonly input: WafInput | undefined;
  /** Why a route is not served, or not by its policy as it is now, by the id of its ingress. */
  readonly problems: ReadonlyMap<string, string>;
  /** What is wrong with the rule set, or with all of it. */
  readonly refused: string | undefined;
  /** Names of files and folders that it needs. */
  readonly uses: readonly string[];
  /** The rules that nginx loads, and where they are. */
  readonly written: readonly (readonly [name: string, text: string])[];
}

const WITHOUT_WAF: PreparedWaf = {
  input: undefined,
  problems: new Map(),
  refused: undefined,
  uses: [],
  written: [],
};

const NO_MODULE =
  'nginx has no ModSecurity on this host: apt-get install libnginx-mod-http-modsecurity modsecurity-crs';
/** Ours: blocked requests are seen within seconds. */
const READ_EVERY_MS = 1000;

interface Servable {
  readonly policy: WafAssignment;
  /** Why it is not as it should be. */
  readonly problem?: string;
}

export class GatewayWaf {
  readonly #options: GatewayWafOptions;
  readonly #log: AuditLog;
  readonly #sets: RuleSetStore;
  /** Digests of rules that the engine took. */
  readonly #taken = new Set<string>();
  #prepared = WITHOUT_WAF;
  #timer: NodeJS.Timeout | undefined;
  #reading = false;
  #auditPath = '/dev/null';

  constructor(options: GatewayWafOptions) {
    const { folder, rules: source, now, run, warn } = options;
    this.#options = options;
    this.#log = new AuditLog({ folder, now, run, warn });
    this.#sets = new RuleSetStore({ folder, source, tried: (set) => this.#try([], set) });
  }

  /** What the configuration needs of it, with its files written. The folder is there. */
  async prepare(section: readonly IngressAssignment[], policies: readonly WafAssignment[]): Promise<PreparedWaf> {
    const wanted = new Set(section.flatMap(({ routes }) => routes.flatMap(({ waf }) => waf ?? [])));
    if (wanted.size === 0) return WITHOUT_WAF;
    const { folder, countries } = this.#options;
    if (!(await hasWafModule())) return refusedFor(section, new Map(), NO_MODULE);
    await folder.folder(WAF_FOLDER);
    const { set, problem } = await this.#sets.choose();
    if (set === undefined) return refusedFor(section, new Map(), problem ?? 'there is no rule set');
    this.#log.knows(set.inventory);
    const servable = await this.#servable(
      policies.filter(({ id }) => wanted.has(id) && isId('waf', id)),
      set,
    );
    const served = new Map([...servable].flatMap(([id, one]) => ('policy' in one ? [[id, one.policy] as const] : [])));
    const inspecting = [...served.values()].filter(({ rules }) => rules.mode !== 'off');
    const problems = problemsOf(section, servable);
    const uses = [...[...wanted].map(policyFile), ruleSetFolder(set.digest)];
    if (inspecting.length === 0) {
      return { input: { rules: undefined, policies: served }, problems, refused: problem, uses, written: [] };
    }
    this.#auditPath = await this.#log.prepare();
    const text = this.#text(inspecting, set, this.#auditPath, countries);
    const name = policiesFile(digestOf(text));
    await folder.write(name, text);
    return {
      input: { rules: folder.file(name), log: this.#log.file, policies: served },
      problems,
      refused: problem,
      uses: [...uses, name, this.#log.file],
      written: [[name, text]],
    };
  }

  /** It serves now, and what was there for the one before goes. */
  async serves(prepared: PreparedWaf): Promise<void> {
    this.#prepared = prepared;
    if (prepared.input?.rules !== undefined) this.#follow();
    await this.read(); // also what an agent before this one did not
    const { folder } = this.#options;
    const kept = new Set([...prepared.uses, this.#log.file]); // workers of before write on
    for (const name of await folder.names(WAF_FOLDER)) {
      const path = `${WAF_FOLDER}/${name}`;
      if (isSwept(name) && !kept.has(path)) await rm(folder.file(path), { recursive: true, force: true });
    }
  }

  #follow(): void {
    this.#timer ??= setInterval(() => void this.read(), READ_EVERY_MS).unref();
  }

  /** Of the rule set that is used. Undefined: none is. */
  get version(): string | undefined {
    return this.#sets.version;
  }

  /** Takes in what was found meanwhile. */
  async read(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    try {
      if (await this.#log.read()) this.#options.news();
    } catch (error) {
      this.#options.warn(`the log of the WAF cannot be read: ${messageOf(error)}`);
    } finally {
      this.#reading = false;
    }
  }

  /** Workers that were killed, or another nginx: records that they did not write are missing. */
  heardOf(workers: Workers): void {
    if (this.#timer !== undefined) this.#log.heardOf(workers);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#prepared = WITHOUT_WAF;
  }

  /** Whether the operator has another rule set now. */
  async hasOther(): Promise<boolean> {
    return this.#prepared.input !== undefined && (await this.#sets.isOther());
  }

  /** In words. Null: what nginx loads, and writes, is there. */
  async fault(): Promise<string | null> {
    const { folder } = this.#options;
    const { input, written } = this.#prepared;
    if (input?.rules === undefined) return null;
    for (const [name, text] of written) {
      if ((await folder.read(name)) !== text) return `${folder.file(name)} was changed`;
    }
    return (await this.#sets.fault()) ?? (await this.#log.fault());
  }

  observed(): WafObserved | undefined {
    return this.#prepared.input?.rules === undefined && !this.#log.isWaiting ? undefined : this.#log.observed();
  }

  /** The coordinator has these. */
  async reported(observed: WafObserved): Promise<void> {
    if (await this.#log.answered(observed)) this.#options.news();
  }

  /** All at once, if the engine takes them, and otherwise each by itself. */
  async #servable(policies: readonly WafAssignment[], set: LoadedRuleSet) {
    const found = new Map<string, Servable | { readonly problem: string }>();
    const candidates: WafAssignment[] = [];
    for (const policy of policies) {
      const problem = await this.#lacks(policy);
      if (problem === undefined) candidates.push(policy);
      else found.set(policy.id, { problem });
    }
    const inspecting = candidates.filter(({ rules }) => rules.mode !== 'off');
    for (const policy of candidates) found.set(policy.id, { policy });
    const together = await this.#problemOf(inspecting, set);
    if (together !== undefined) {
      for (const policy of inspecting) {
        const problem = await this.#problemOf([policy], set);
        if (problem !== undefined) found.set(policy.id, await this.#lastGood(policy.id, problem, set));
      }
    }
    for (const [id, one] of found) {
      if ('policy' in one && one.problem === undefined) {
        await this.#options.folder.write(policyFile(id), JSON.stringify(one.policy));
      }
    }
    return found;
  }

  /** A policy that names countries needs to know where addresses are. */
  async #lacks({ rules }: WafAssignment): Promise<string | undefined> {
    const wrong = [...rules.clients.trusted, ...rules.clients.denied].find((text) => parseNetwork(text) === undefined);
    if (wrong !== undefined) return `${JSON.stringify(wrong)} is no network`;
    return await lackOfCountries(rules, this.#options.countries);
  }

  async #problemOf(policies: readonly WafAssignment[], set: LoadedRuleSet): Promise<string | undefined> {
    if (policies.length === 0) return undefined;
    try {
      await this.#try(policies, set);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  async #lastGood(id: string, problem: string, set: LoadedRuleSet): Promise<Servable | { readonly problem: string }> {
    const text = await this.#options.folder.read(policyFile(id));
    if (text === undefined) return { problem };
    const policy = JSON.parse(text) as WafAssignment;
    if (policy.id !== id || (await this.#problemOf([policy], set)) !== undefined) return { problem };
    return { policy, problem: `it goes on as it was before: ${problem}` };
  }

  /** Rejects with why the engine does not take them. */
  async #try(policies: readonly WafAssignment[], set: LoadedRuleSet): Promise<void> {
    const { folder, run, countries } = this.#options;
    const text = this.#text(policies, set, '/dev/null', countries);
    const digest = digestOf(text);
    if (this.#taken.has(digest)) return;
    await tryRules(folder, run, { rules: text, patterns: policies.flatMap(({ rules }) => patternsOf(rules.rules)) });
    this.#taken.add(digest);
  }

  #text(
    policies: readonly WafAssignment[],
    set: LoadedRuleSet,
    audit_log: string,
    countries: string | undefined,
  ): string {
    const temp = this.#options.folder.file(GATEWAY_FOLDERS.temp);
    return rulesText({ policies, set, temp, audit_log, countries });
  }
}

export async function hasWafModule(): Promise<boolean> {
  return await access(WAF_MODULE).then(
    () => true,
    () => false,
  );
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function problemsOf(section: readonly IngressAssignment[], found: ReadonlyMap<string, { readonly problem?: string }>) {
  const problems = new Map<string, string>();
  for (const { id, routes } of section) {
    for (const { waf, path } of routes) {
      if (waf === undefined || waf === null) continue;
      const one = found.get(waf);
      const problem = one === undefined ? 'the gateway was not sent the policy' : one.problem;
      if (problem !== undefined)
        problems.set(id, `the WAF of ${path} does not do as it should: ${problem}`.slice(0, 300));
    }
  }
  return problems;
}

function refusedFor(section: readonly IngressAssignment[], policies: WafInput['policies'], why: string): PreparedWaf {
  const ids = section.flatMap(({ routes }) => routes.flatMap(({ waf }) => waf ?? []));
  const problems = problemsOf(section, new Map(ids.map((id) => [id, { problem: why }])));
  return { input: { rules: undefined, policies }, problems, refused: why, uses: [], written: [] };
}
