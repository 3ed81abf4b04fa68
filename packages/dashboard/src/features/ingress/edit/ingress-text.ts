/** An ingress as text: what the API takes, for those who know it better than a form. */
import type { Upstream } from '@meshwork/contract';
import { DEFAULT_SIGN_IN } from '@meshwork/contract/vocabulary';
import { changesBetween } from '../changes.ts';
import { defaultUpstream, hasPort, KINDS } from '../ingress-kinds.ts';
import { bodyOf, draftOf, type IngressBody, type IngressDraft, newDraft } from './ingress-draft.ts';
import { trafficOf } from './traffic-draft.ts';
import { upstreamOf } from './upstream-draft.ts';

/** Only what an ingress of its kind can have. Its kind and scope cannot be changed, and are there for a new one only. */
export function textOf(draft: IngressDraft, isNew: boolean): string {
  const { name, kind, hostname, port, service, upstream, traffic, scope, gateways, replicas, ...rest } = bodyOf(draft);
  const shown = {
    name,
    ...(isNew ? { kind } : {}),
    hostname,
    ...(hasPort(kind) ? { port } : {}),
    ...{ service, upstream, traffic },
    ...(kind === 'http' ? rest : {}),
    ...(isNew ? { scope } : {}),
    ...{ gateways, replicas },
  };
  return JSON.stringify(shown, null, 2);
}

type Read = { readonly body: IngressBody } | { readonly problem: string };

/** `before`: what stands for everything that the text does not name. Of another kind, what a new one has does. */
export function readText(text: string, before: IngressBody): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `Not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (!isObject(value)) return { problem: 'An ingress is a JSON object.' };
  const kind = KINDS.find((one) => one === value.kind) ?? before.kind;
  const base = kind === before.kind ? before : bodyOf(newDraft(before.scope, kind));
  return { body: { ...base, ...value } };
}

/**
 * What is left out of an upstream or of the rules on traffic is as it was, and in a path as it is in a new one: as the coordinator
 * takes it. Null: the form cannot show all that the text says.
 */
export function draftOfText(body: IngressBody, before: IngressDraft): IngressDraft | null {
  if (!KINDS.includes(body.kind)) return null;
  try {
    const base = body.kind === before.kind ? before : newDraft(before.scope, body.kind);
    const traffic = trafficOf(base.traffic);
    const { networks, limits } = body.traffic;
    const record = {
      ...body,
      upstream: whole(body.upstream, upstreamOf(base.upstream)),
      traffic: {
        ...{ ...traffic, ...body.traffic },
        ...{ networks: { ...traffic.networks, ...networks }, limits: { ...traffic.limits, ...limits } },
      },
      tls: { ...base.tls, ...body.tls },
      sign_in: isObject(body.sign_in)
        ? { ...(base.sign_in ?? DEFAULT_SIGN_IN), ...body.sign_in }
        : (body.sign_in ?? null),
      routes: body.routes.map((route) => ({
        ...{ ...route, upstream: whole(route.upstream, defaultUpstream('http')), traffic: route.traffic ?? {} },
      })),
    };
    const draft = draftOf(record);
    return Object.keys(changesBetween(record, bodyOf(draft))).length === 0 ? draft : null;
  } catch {
    return null; // a list where an object should be, or the like: the coordinator says what is wrong with it
  }
}

function whole(change: IngressBody['upstream'] | undefined, base: Upstream): Upstream {
  return { ...base, ...change, check: { ...base.check, ...change?.check } };
}

function isObject(value: unknown): value is Partial<IngressBody> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
