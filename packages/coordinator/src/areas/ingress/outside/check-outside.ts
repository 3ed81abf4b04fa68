/**
 * Checks from outside whether people reach an ingress. Its gateways are first asked to show a proof that only they and this coordinator
 * know; then another node tries what people outside try, and `findings.ts` says what that means.
 */
import { randomBytes } from 'node:crypto';
import { type IngressId, MeshError, type NodeId, type Operations, type ParamsOf } from '@meshwork/contract';
import { RateLimit } from '@meshwork/service';
import { ensureMayUseHostname } from '../../../access/owners.ts';
import { rootsOf } from '../../../issuing/authorities.ts';
import { answersProbes } from '../../../mesh/abilities.ts';
import type { Stored, View } from '../../../mesh/model.ts';
import { isFresh } from '../../../mesh/node-state.ts';
import { ownershipInEffect } from '../../../mesh/ownership-in-effect.ts';
import { wholeIngress } from '../../../mesh/whole-ingress.ts';
import type { GatewayProofs } from '../../../node-status/gateway-proof.ts';
import type { Call, Reply } from '../../handler.ts';
import type { Runtime } from '../../runtime.ts';
import { findIngress } from '../find-ingress.ts';
import { chooseChecker } from './choose-checker.ts';
import { outsideFindings } from './findings.ts';
import { addressesOf, checksOf, type GatewayFacts } from './outside-facts.ts';

/** Ours, for each token and for each ingress: enough to follow what one mends, and far too few to look for open ports. */
const RATE = { rate_per_s: 0.2, burst: 5 };
/** Ours: how long gateways may take to show their proof, and for how long they do. */
const SHOWN_WITHIN_MS = 3000;
const SHOWN_FOR_S = 30;
/** Ours: how long the node may take, and the coordinator waits for it. */
const TRIED_WITHIN_MS = 8000;
const ANSWERED_WITHIN_MS = 11_000;
/** The contract's. */
const MOST_ADDRESSES = 16;
const OLD = 'its agent is too old to show a proof, or has no nginx';

type Sources = Pick<Runtime, 'mesh' | 'probes' | 'statuses'> & { readonly proofs: GatewayProofs };

export class CheckOutside {
  readonly #sources: Sources;
  readonly #limit: RateLimit;

  constructor(sources: Sources) {
    this.#sources = sources;
    this.#limit = new RateLimit(sources.mesh.clock);
  }

  async run(call: Call<'ingress.check'>): Promise<Reply<'ingress.check'>> {
    const { mesh, probes } = this.#sources;
    const { model } = mesh;
    const { actor } = call;
    const ingress = findIngress(model, (call.params as ParamsOf<Operations['ingress.check']>).id, actor);
    ensureOwned(model, ingress, call);
    const checker = chooseChecker(model, ingress, { ...this.#sources, scope: actor.scope, wanted: call.body.node });
    this.#limit.take(actor.id, RATE);
    this.#limit.take(ingress.id, RATE);
    await call.transact((tx) => {
      const detail = `checked from outside by ${checker.body.name}`;
      tx.record({ target: { kind: 'ingress', id: ingress.id }, scope: ingress.body.scope, detail });
    });
    const token = secret();
    const gateways = await this.#showing(ingress, token);
    const whole = wholeIngress(ingress.body);
    const checks = checksOf(whole);
    const probe = {
      ingress_check: {
        ingress: ingress.id,
        hostname: whole.hostname,
        checks: [...checks],
        gateways: gateways
          .flatMap(({ addresses, is_direct, is_public }) =>
            addresses.map((address) => ({ address, checks: is_direct && is_public ? [...checks] : [] })),
          )
          .slice(0, MOST_ADDRESSES),
        token,
        roots: [...rootsOf(model)],
        within_ms: TRIED_WITHIN_MS,
      },
    };
    const answer = await probes.ask(checker.id as NodeId, probe, ANSWERED_WITHIN_MS);
    call.ensureStillAllowed();
    const { name } = checker.body;
    if (answer === undefined) throw notChecked(`${name} did not answer within ${ANSWERED_WITHIN_MS / 1000} seconds.`);
    const { ingress_check: seen } = answer;
    if (seen === undefined) throw notChecked(`${name} could not try it: ${answer.error ?? 'it did not say why'}.`);
    const now_ms = mesh.clock.now();
    const { verdict, findings } = outsideFindings({ ingress: whole, checks, checker: name, gateways, seen, now_ms });
    return {
      body: {
        ingress: ingress.id,
        hostname: whole.hostname,
        verdict,
        node: checker.id,
        name,
        at: new Date(now_ms).toISOString(),
        resolvers: seen.resolvers,
        addresses: seen.addresses,
        findings,
      },
    };
  }

  /** Each gateway with what it shows now, or why it shows nothing. All are asked at the same time. */
  #showing(ingress: Stored<'ingress'>, token: string): Promise<readonly GatewayFacts[]> {
    const { mesh, proofs } = this.#sources;
    const { model } = mesh;
    const placed = model.get('placement', ingress.id)?.body.gateways ?? [];
    const isHttp = wholeIngress(ingress.body).kind === 'http';
    return Promise.all(
      placed.flatMap(({ node: id, draining }) => {
        const node = model.get('node', id);
        if (node === undefined) return [];
        const { addresses, is_public } = addressesOf(model, id);
        const known = {
          name: node.body.name,
          addresses,
          is_public,
          draining,
          is_direct: model.get('report', id)?.body.gateway_front?.proxy_protocol !== true,
          problem: proofs.problem(model, id, ingress.id as IngressId),
        };
        if (!isHttp) return Promise.resolve({ ...known, answer: undefined, unproven: null });
        return this.#asked(ingress, id, token).then((shown) => ({ ...known, ...shown }));
      }),
    );
  }

  async #asked(ingress: Stored<'ingress'>, id: NodeId, token: string) {
    const { model } = this.#sources.mesh;
    if (!isFresh(model, id)) return { answer: undefined, unproven: 'it sends no heartbeats' };
    if (!answersProbes(model, id, 'ingress_proof')) return { answer: undefined, unproven: OLD };
    const answer = secret();
    const probe = { ingress_proof: { ingress: ingress.id, token, answer, for_s: SHOWN_FOR_S } };
    const said = await this.#sources.probes.ask(id, probe, SHOWN_WITHIN_MS);
    if (said?.ingress_proof !== undefined) return { answer, unproven: null };
    return { answer: undefined, unproven: said?.error ?? 'it did not answer in time' };
  }
}

/**
 * Only what a host name leads to is tried, so it has to be the caller's to use, or that of the boundary of the ingress: the policy may
 * have changed since it was set.
 */
function ensureOwned(view: View, { body }: Stored<'ingress'>, { actor }: Call<'ingress.check'>): void {
  if (!ownershipInEffect(view).domain(body.scope, body.hostname).allowed) {
    ensureMayUseHostname(view, actor.scope, body.hostname);
  }
}

function secret(): string {
  return randomBytes(24).toString('base64url');
}

function notChecked(detail: string): MeshError {
  return new MeshError('ingress_not_checked', detail);
}
