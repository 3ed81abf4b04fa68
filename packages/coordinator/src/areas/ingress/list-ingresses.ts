import { covers } from '@meshwork/contract';
import { pageById } from '@meshwork/service';
import type { Model, Stored } from '../../mesh/model.ts';
import { nodeNamed } from '../../mesh/node-state.ts';
import { servicesOf } from '../../mesh/whole-ingress.ts';
import type { Call, Reply } from '../handler.ts';
import { ingressRecord, type RecordSources } from './ingress-record.ts';

export function listIngresses(model: Model, call: Call<'ingress.list'>, sources: RecordSources): Reply<'ingress.list'> {
  const { service, gateway: text } = call.query;
  const gateway = text === undefined ? undefined : (nodeNamed(model, text)?.id ?? text);
  const isOn = (node: string, id: string) =>
    model.get('placement', id)?.body.gateways.some((one) => one.node === node) === true;
  const body = pageById('ingress.list', call.query, {
    walk: (after) => model.after('ingress', after),
    keep: (ingress: Stored<'ingress'>) =>
      covers(call.actor.scope, ingress.body.scope) &&
      (service === undefined || servicesOf(ingress.body).includes(service)) &&
      (gateway === undefined || isOn(gateway, ingress.id)),
    show: (ingress) => ingressRecord(model, ingress, { ...sources, viewer: call.actor.scope }),
  });
  return { body };
}
