import { MAX_SUBJECTS, MESH_DOMAIN, type OwnershipCheck, type OwnershipFinding, type Scope } from '@meshwork/contract';
import type { Ruling } from '@meshwork/policy';
import type { View } from '../../mesh/model.ts';
import { boundaryOfNode } from '../../mesh/node-state.ts';
import { ownershipInEffect } from '../../mesh/ownership-in-effect.ts';

type Kind = OwnershipFinding['kind'];
type Subject = OwnershipFinding['subjects'][number];
type Refusal = Extract<Ruling, { allowed: false }>;

interface Found {
  readonly kind: Kind;
  readonly value: string;
  readonly boundary: Scope;
  readonly ruling: Refusal;
  readonly subjects: Subject[];
}

/** What is set that a token of its own boundary could not set under the policy in effect. */
export function checkOwnership(view: View): OwnershipCheck {
  const ownership = ownershipInEffect(view);
  const found = new Map<string, Found>();
  const look = (kind: Kind, value: string, { boundary, ruling, subject }: Looked) => {
    if (ruling.allowed) return;
    const key = `${kind} ${value} ${scopeText(boundary)}`;
    const known = found.get(key) ?? { kind, value, boundary, ruling, subjects: [] };
    known.subjects.push(subject);
    found.set(key, known);
  };
  for (const { id, body } of view.all('node')) {
    if (body.removed_at !== null) continue;
    const boundary = boundaryOfNode(body);
    const subject = { kind: 'node', id, name: body.name } as const;
    for (const tag of body.tags) look('tag', tag, { boundary, ruling: ownership.tag(boundary, tag), subject });
    look('name', body.name, { boundary, ruling: ownership.name(boundary, body.name, boundary), subject });
  }
  for (const { id, body } of view.all('ingress')) {
    const subject = { kind: 'ingress', id, name: body.name } as const;
    const ruling = ownership.domain(body.scope, body.hostname);
    look('domain', body.hostname, { boundary: body.scope, ruling, subject });
  }
  for (const { id, body } of view.all('dns')) {
    const name = `${body.name}.${MESH_DOMAIN}`;
    const ruling = ownership.domain(body.scope, name);
    look('domain', name, { boundary: body.scope, ruling, subject: { kind: 'dns', id, name } });
  }
  const inOrder = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return { findings: inOrder.map(([, one]) => finding(one)) };
}

interface Looked {
  readonly boundary: Scope;
  readonly ruling: Ruling;
  readonly subject: Subject;
}

function finding({ kind, value, boundary, ruling, subjects }: Found): OwnershipFinding {
  const byName = subjects.sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    kind,
    value,
    boundary,
    count: subjects.length,
    subjects: byName.slice(0, MAX_SUBJECTS),
    detail: ruling.detail,
    remedy: remedy(subjects[0]?.kind === 'dns' ? 'record' : kind, boundary, ruling),
  };
}

const OTHERWISE: Readonly<Record<Kind | 'record', string>> = {
  tag: 'take the tag off',
  name: 'enrol the node anew under another name',
  domain: 'give the ingress another host name',
  record: 'delete the record',
};

function remedy(what: Kind | 'record', boundary: Scope, { entry: { table, key, written } }: Refusal): string {
  const owner = `"scope:${scopeText(boundary)}"`;
  const add = written ? `Add ${owner} to "${key}" in ${table}` : `Add "${key}": [${owner}] to ${table}`;
  return `${add}, or ${OTHERWISE[what]}.`;
}

function scopeText({ team, surface, environment }: Scope): string {
  return `${team}/${surface}/${environment}`;
}
