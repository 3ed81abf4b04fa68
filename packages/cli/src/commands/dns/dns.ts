import type { DnsRecord } from '@meshwork/contract';
import { noun } from '../../derived/noun.ts';
import { scopeText } from '../../rights-text.ts';
import { fields } from '../../table.ts';
import { when } from '../../when.ts';

export const dns = noun({
  noun: 'dns',
  areas: ['dns'],
  records: { DnsRecord: recordFields },
  commands: {
    'dns.create': {
      description:
        'Create a DNS record: a name below the domain of the mesh, with addresses or as an alias. Nodes within its scope resolve it. The policy says who may use the name (domain owners).',
      parameters: {
        name: { help: 'its name without .mesh: git, or *.apps for every name below apps' },
        addresses: { value: 'address', help: 'an address that it resolves to; repeat it for several' },
        cname: { value: 'name', help: 'the name of the mesh that it is an alias of, such as web-1.mesh' },
        'scope.team': { help: 'the team whose nodes resolve it; by default the scope of the token' },
        'scope.surface': { help: 'the surface whose nodes resolve it' },
        'scope.environment': { help: 'the environment whose nodes resolve it' },
        note: { help: 'for people' },
      },
    },
    'dns.list': {
      columns: [
        ['NAME', ({ fqdn }) => fqdn],
        ['LEADS TO', (record) => leadsTo(record)],
        ['SCOPE', ({ scope }) => scopeText(scope)],
        ['NOTE', ({ note }) => note ?? '-'],
      ],
    },
    'dns.update': {
      description: 'Change a DNS record: only what is named. New addresses replace an alias, and an alias addresses.',
      parameters: {
        addresses: { value: 'address', help: 'an address that it resolves to from now on; repeat it for several' },
        cname: { value: 'name', help: 'the name of the mesh that it is an alias of from now on' },
      },
    },
    'dns.delete': {
      summary: 'Remove a DNS record',
      confirm: {
        ask: ({ session, request: { params } }) => ({
          what: `removing DNS record ${params.id}`,
          describe: async () => {
            const { body } = await session.client.call('dns.show', { params: { id: params.id ?? '' } });
            return `${body.fqdn} stops leading to ${leadsTo(body)}, and its name becomes free.`;
          },
        }),
      },
    },
  },
});

function leadsTo({ cname, addresses }: DnsRecord): string {
  return cname ?? addresses.join(', ');
}

function recordFields(record: DnsRecord): string {
  return fields([
    ['id', record.id],
    ['name', record.fqdn],
    ...(record.cname === null
      ? record.addresses.map((address, index): [string, string] => [index === 0 ? 'addresses' : '', address])
      : [['alias of', record.cname] as const]),
    ['scope', scopeText(record.scope)],
    ['note', record.note ?? '-'],
    ['created', `${when(record.created_at)} by ${record.created_by.name}`],
  ]);
}
