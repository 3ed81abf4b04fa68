import { covers, MESH_DOMAIN, type NodeId, type Scope } from '@meshwork/contract';
import { nodeOfName } from '../../issuing/granted-names.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { boundaryOfNode, isMember, nodeState } from '../../mesh/node-state.ts';
import { AcmeError, malformed, type Subproblem } from './acme-error.ts';
import { MOST_NAMES } from './limits.ts';

export interface AuthorizedName {
  readonly name: string;
  readonly node: NodeId;
}

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})+$`);

/** The names that an order asks for, in lower case. */
export function namesOf(identifiers: unknown): readonly string[] {
  if (!Array.isArray(identifiers) || identifiers.length === 0 || identifiers.length > MOST_NAMES) {
    throw malformed(`identifiers is a list of 1 to ${MOST_NAMES} names.`);
  }
  const names = identifiers.map((identifier: unknown) => {
    const { type, value } = Object(identifier) as { readonly type?: unknown; readonly value?: unknown };
    if (typeof type !== 'string' || typeof value !== 'string') throw malformed('An identifier has a type and a value.');
    if (type !== 'dns') throw new AcmeError('unsupportedIdentifier', 'Only identifiers of the type "dns" are taken.');
    return value.toLowerCase();
  });
  return [...new Set(names)];
}

/** The node of each name, if the caller may speak for all of them. Throws `rejectedIdentifier` with all that are refused. */
export function authorizedNames(view: View, names: readonly string[], scope: Scope): readonly AuthorizedName[] {
  const rejected: Subproblem[] = [];
  const found = names.flatMap((name) => {
    const node = nodeOfName(view, name);
    const detail = faultOf(view, { name, node, scope });
    if (detail === undefined && node !== undefined) return [{ name, node: node.id as NodeId }];
    rejected.push({ type: 'rejectedIdentifier', name, detail: detail ?? '' });
    return [];
  });
  if (rejected.length === 0) return found;
  const detail = rejected.map((one) => one.detail).join(' ');
  throw new AcmeError('rejectedIdentifier', detail, { subproblems: rejected });
}

function faultOf(
  view: View,
  { name, node, scope }: { readonly name: string; readonly node: Stored<'node'> | undefined; readonly scope: Scope },
): string | undefined {
  const shown = JSON.stringify(name.slice(0, 253));
  if (name.startsWith('*.')) return `${shown} is a wildcard, which no node can show.`;
  if (name.length > 253 || !NAME.test(name)) return `${shown} is not a DNS name.`;
  // What lies outside of its scope is not there for the caller.
  if (node === undefined || !covers(scope, boundaryOfNode(node.body))) {
    return `${shown} belongs to no node inside your scope; NODE.${MESH_DOMAIN} and names below it can be had.`;
  }
  return isMember(node.body) ? undefined : `${shown} is a name of a node that is ${nodeState(view, node)}.`;
}
