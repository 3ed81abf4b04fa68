/** The WAF as this host can run it: its versions, and its test bench. */
import type { Observed } from '@meshwork/contract';
import type { EngineProber } from '../../engine.ts';
import { hasModules } from '../nginx-host.ts';
import { type GatewayWaf, hasWafModule } from './gateway-waf.ts';
import { readRuleSet } from './rule-set.ts';
import type { TestBench } from './test-bench.ts';

interface WafOfHostParts {
  readonly waf: GatewayWaf;
  readonly bench: TestBench;
  /** The operator's rule set. */
  readonly rules: string;
  /** Of the engine, as its package has it. Undefined: it is not known. */
  readonly engine: () => Promise<string | undefined>;
}

export class WafOfHost {
  readonly #parts: WafOfHostParts;
  #isAble = false;
  readonly prober: EngineProber;

  constructor(parts: WafOfHostParts) {
    this.#parts = parts;
    const isAble = () => this.#isAble;
    this.prober = {
      get kinds() {
        return isAble() ? (['waf'] as const) : [];
      },
      answer: async ({ waf }, signal) => {
        if (waf === undefined) throw new Error('this is no probe of the WAF');
        return { waf: await parts.bench.try(waf, signal) };
      },
    };
  }

  /** Looked up each time: packages may be installed while the agent runs. */
  async versions(): Promise<Readonly<Record<string, string>>> {
    const { rules, engine, waf } = this.#parts;
    const crs = (await hasModules()) && (await hasWafModule()) ? await versionOf(rules) : undefined;
    // A broken folder is no reason to say that what serves by the last good one cannot be done.
    const known = crs ?? waf.version;
    this.#isAble = crs !== undefined;
    if (known === undefined) return {};
    const modsecurity = await engine();
    return { crs: known, ...(modsecurity === undefined ? {} : { modsecurity }) };
  }

  hasOther(): Promise<boolean> {
    return this.#parts.waf.hasOther();
  }

  reported(observed: NonNullable<Observed['waf']>): Promise<void> {
    return this.#parts.waf.reported(observed);
  }
}

/** Undefined: there is none that can be used. */
async function versionOf(rules: string): Promise<string | undefined> {
  return await readRuleSet(rules).then(
    ({ version }) => version,
    () => undefined,
  );
}
