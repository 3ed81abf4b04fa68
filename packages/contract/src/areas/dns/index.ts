/** DNS records of the mesh's domain, beside the names that nodes and services have by themselves. */
import { ActorRef } from '../../actor.ts';
import { defineArea } from '../../area.ts';
import { idPattern } from '../../ids.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Scope } from '../../scope.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { VISIBLE_NOTE } from '../../visible-text.ts';
import { dnsVocabulary, MAX_RECORD_ADDRESSES } from './vocabulary.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** `.mesh` follows: a whole name has 253 characters at most. */
const LONGEST_NAME = 253 - '.mesh'.length;

const RecordName = Type.String({
  maxLength: LONGEST_NAME,
  pattern: `^(?:\\*\\.)?${LABEL}(?:\\.${LABEL})*$`,
  description:
    'Its name below the domain of the mesh, in lower case: `git` for `git.mesh`, `*.apps` for every name below `apps.mesh` that has no record of its own. Names below `svc` belong to services.',
});
const Addresses = Type.Array(Type.String({ maxLength: 45, pattern: '^[0-9a-f:.]{2,45}$' }), {
  maxItems: MAX_RECORD_ADDRESSES,
  uniqueItems: true,
  description: 'IPv4 and IPv6 addresses that it resolves to (A and AAAA), in their shortest spelling.',
});
const Cname = Type.String({
  maxLength: 253,
  pattern: `^${LABEL}(?:\\.${LABEL})*\\.mesh$`,
  description: 'The name of the mesh that it is an alias of (CNAME), such as `web-1.mesh`.',
});
const Note = Type.String({ maxLength: 500, pattern: VISIBLE_NOTE, description: 'For people.' });

export const DnsRecord = named(
  'DnsRecord',
  Type.Object(
    {
      id: Type.String({ pattern: idPattern('dns'), description: 'Identifies it permanently.' }),
      name: RecordName,
      fqdn: Type.String({ description: 'The whole name, such as `git.mesh`.' }),
      addresses: Addresses,
      cname: maybe(Cname, 'The name that it is an alias of. Null: it has addresses.'),
      scope: Scope,
      note: maybe(Note, 'For people. Null: none.'),
      created_at: Timestamp('When it was made.'),
      created_by: ActorRef,
      revision: Type.Integer({ description: 'Of the mesh, when it last changed. Also its ETag.' }),
    },
    { additionalProperties: false },
  ),
);
export type DnsRecord = Static<typeof DnsRecord>;

const OfRecord = Strict({ name: Type.String({ description: 'The whole name, such as `git.mesh`.' }) });
const byId = Type.Object({
  id: Type.String({ maxLength: 253, description: 'Id of the record, or its name, such as `git` or `git.mesh`.' }),
});

const exampleRecord: DnsRecord = {
  id: 'dns_01jcqvd5z0e8m4q2w7r9t1y3ba',
  name: 'wiki',
  fqdn: 'wiki.mesh',
  addresses: ['100.64.0.7', '100.64.0.8'],
  cname: null,
  scope: { team: 'platform', surface: '*', environment: 'production' },
  note: 'two proxies in front of the wiki',
  created_at: '2026-11-15T09:30:00Z',
  created_by: { kind: 'token', id: 'token_01jcqv3m8hfg2t6r9x0z4w7y1a', name: 'ops' },
  revision: 1184,
};

const dnsOperations = defineOperations({
  'dns.create': {
    method: 'POST',
    path: '/v1/dns/records',
    summary: 'Create a DNS record',
    description:
      'It has addresses or is an alias, not both. Nodes within its scope resolve it. `domain_owners` of the policy says who may use its whole name; without an entry only a mesh-wide token may.',
    permission: 'dns:write',
    reach: 'scoped',
    body: Strict({
      name: RecordName,
      addresses: Type.Optional(Addresses),
      cname: Type.Optional(maybe(Cname)),
      scope: Type.Optional(Scope),
      note: Type.Optional(maybe(Note)),
    }),
    versioned: true,
    answer: { status: 201, description: 'The new record.', schema: DnsRecord },
    errors: ['already_exists', 'not_owner', 'exceeds_own_rights', 'too_many'],
    example: {
      body: { name: 'wiki', addresses: exampleRecord.addresses, note: exampleRecord.note },
      answer: exampleRecord,
    },
  },
  'dns.list': {
    method: 'GET',
    path: '/v1/dns/records',
    summary: 'List DNS records',
    permission: 'dns:read',
    reach: 'scoped',
    query: Strict({ ...pageQuery }),
    answer: { status: 200, description: 'A page of records.', schema: Page(DnsRecord) },
    errors: [],
    example: { answer: { items: [exampleRecord], next_cursor: null } },
  },
  'dns.show': {
    method: 'GET',
    path: '/v1/dns/records/{id}',
    summary: 'Show a DNS record',
    permission: 'dns:read',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 200, description: 'The record.', schema: DnsRecord },
    errors: [],
    example: { params: { id: exampleRecord.id }, answer: exampleRecord },
  },
  'dns.update': {
    method: 'PATCH',
    path: '/v1/dns/records/{id}',
    summary: 'Change a DNS record',
    description:
      'A JSON merge patch: name only what changes. Its name stays: create another record for another name. New addresses replace an alias, and an alias replaces addresses.',
    permission: 'dns:write',
    reach: 'scoped',
    params: byId,
    body: Strict({
      addresses: Type.Optional(Addresses),
      cname: Type.Optional(maybe(Cname)),
      note: Type.Optional(maybe(Note)),
    }),
    versioned: true,
    answer: { status: 200, description: 'The record as it is now.', schema: DnsRecord },
    errors: ['not_owner'],
    example: { params: { id: exampleRecord.id }, body: { note: null }, answer: { ...exampleRecord, note: null } },
  },
  'dns.delete': {
    method: 'DELETE',
    path: '/v1/dns/records/{id}',
    summary: 'Delete a DNS record',
    description: 'Its name becomes free for nodes and other records.',
    permission: 'dns:write',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 204, description: 'It is gone.' },
    errors: [],
    example: { params: { id: exampleRecord.id } },
  },
});

export const dnsArea = defineArea({
  name: 'dns',
  title: 'DNS',
  description: 'Names of the mesh beside those of nodes and services: addresses, aliases and wildcards.',
  ...dnsVocabulary,
  bounded: true,
  operations: dnsOperations,
  events: {
    'dns.created': { summary: 'A DNS record was created', data: OfRecord },
    'dns.changed': { summary: 'A DNS record was changed', data: OfRecord },
    'dns.deleted': { summary: 'A DNS record was deleted', data: OfRecord },
  },
});
