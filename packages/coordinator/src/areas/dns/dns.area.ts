/** DNS records: names of the mesh beside those of nodes and services. Agents answer with them; here they are records. */
import { IdIndex } from '../../mesh/id-index.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Area } from '../area.ts';
import type { AreaHandlers } from '../handler.ts';
import { createRecord } from './create-record.ts';
import { dnsSection } from './dns-section.ts';
import { findRecord, listRecords, shownRecord } from './records.ts';
import { deleteRecord, updateRecord } from './update-record.ts';

export const dns: Area<'dns'> = {
  open: ({ model, reach }) => {
    const proven = new IdIndex(model, ['proven'], (id) => model.get('proven', id)?.body.gateways ?? []);
    return {
      sections: { dns: dnsSection({ view: model, reach, proven }) },
      serve: ({ mesh }) => ({ handlers: handlersOf(mesh) }),
    };
  },
};

function handlersOf(mesh: Mesh): AreaHandlers<'dns'> {
  return {
    'dns.create': createRecord,
    'dns.list': (call) => listRecords(mesh.model, call),
    'dns.show': (call) => {
      const record = findRecord(mesh.model, call.params.id, call.actor);
      return { body: shownRecord(record), revision: record.revision };
    },
    'dns.update': updateRecord,
    'dns.delete': deleteRecord,
  };
}
