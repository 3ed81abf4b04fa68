import { covers, MESH_DOMAIN, type NodeId, type RequestedProfile, type Scope } from '@meshwork/contract';
import type { Constraints, RequestRead } from '@meshwork/pki';
import type { OfIngresses } from '../kinds/ca.ts';
import type { Directory } from '../mesh/directory.ts';
import type { Stored, View } from '../mesh/model.ts';
import { boundaryOfNode, isMember, nodeNamed, nodeState } from '../mesh/node-state.ts';
import { grantedHostnames } from './granted-hostnames.ts';
import { namesOfNode, spiffeIdOf } from './node-names.ts';
import { PROFILES } from './profiles.ts';

interface Request {
  readonly read: RequestRead;
  readonly profile: RequestedProfile;
  readonly scope: Scope;
  readonly constraints: Constraints;
}

/** The nodes or the ingresses whose names a request asks for, or everything that it asks for and cannot have. */
type Granted =
  | { readonly nodes: readonly NodeId[]; readonly of_ingresses?: OfIngresses }
  | { readonly faults: readonly string[] };

/**
 * Judges what a request for a service asks for. A name belongs to a node: `NODE.mesh`, names below it, its addresses, SPIFFE ids
 * below that of the node. Who may speak for the node may have a certificate for it. With the profile `ingress` it belongs to an ingress
 * (`granted-hostnames.ts`).
 */
export function grantedNames(view: View, directory: Directory, request: Request): Granted {
  const { read, scope, constraints } = request;
  const { names } = read;
  if (request.profile === 'ingress') {
    const found = grantedHostnames(view, { names, scope, constraints });
    const all = [...found.faults, ...otherFaults(request)];
    return all.length > 0 ? { faults: all } : { nodes: [], of_ingresses: found.of_ingresses };
  }
  const faults: string[] = [];
  const nodes = new Set<NodeId>();
  const grant = (what: string, node: Stored<'node'> | undefined) => {
    // What lies outside of its scope is not there for the caller.
    if (node === undefined || !covers(scope, boundaryOfNode(node.body))) {
      faults.push(`asks for ${what}, which belongs to no node inside your scope`);
    } else if (!isMember(node.body)) {
      faults.push(`asks for ${what}, whose node is ${nodeState(view, node)}`);
    } else nodes.add(node.id as NodeId);
  };
  for (const name of names.dns) grant(`the DNS name ${JSON.stringify(name)}`, nodeOfName(view, name));
  for (const address of names.addresses) {
    const id = directory.nodeAt(address);
    const node = id === undefined ? undefined : view.get('node', id);
    const isOurs = node !== undefined && namesOfNode(node.body, constraints).addresses.includes(address);
    grant(`the address ${address}`, isOurs ? node : undefined);
  }
  for (const uri of names.uris) {
    const node = nodeOfUri(view, uri, constraints);
    if (node !== undefined && uri === spiffeIdOf(node.body, constraints)) {
      faults.push(`asks for the SPIFFE id ${JSON.stringify(uri)}, which only the node itself has; add a path below it`);
    } else grant(`the SPIFFE id ${JSON.stringify(uri)}`, node);
  }
  faults.push(...otherFaults(request));
  return faults.length > 0 ? { faults } : { nodes: [...nodes] };
}

/** What is wrong with a request, whatever its names belong to. */
function otherFaults({ read, profile }: Request): readonly string[] {
  const { names, usages, key_type, common_name } = read;
  const faults: string[] = [];
  if (common_name !== null && !names.dns.includes(common_name.toLowerCase())) {
    faults.push(`asks for the common name ${JSON.stringify(common_name)}, which is none of its DNS names`);
  }
  if (names.dns.length + names.addresses.length + names.uris.length === 0) {
    faults.push('asks for no name; add subjectAltName');
  }
  const { usages: own, key_types } = PROFILES[profile];
  const more = usages?.find((usage) => !own.some((one) => one === usage));
  if (more !== undefined)
    faults.push(`asks for the extended key usage ${more}Auth, which the profile ${profile} lacks`);
  if (!key_types.includes(key_type)) faults.push(`has a key of type ${key_type}, which the profile ${profile} lacks`);
  return faults;
}

/** `NODE.mesh`, or a name below it. */
export function nodeOfName(view: View, name: string): Stored<'node'> | undefined {
  const labels = name.split('.');
  if (labels.pop() !== MESH_DOMAIN) return undefined;
  const node = labels.pop();
  return node === undefined ? undefined : byName(view, node);
}

function nodeOfUri(view: View, uri: string, { trust_domain }: Constraints): Stored<'node'> | undefined {
  const prefix = `spiffe://${trust_domain}/node/`;
  const [name = ''] = uri.startsWith(prefix) ? uri.slice(prefix.length).split('/') : [];
  return name === '' ? undefined : byName(view, name);
}

/** An id is not a name, though it leads to a node elsewhere. */
function byName(view: View, name: string): Stored<'node'> | undefined {
  const node = nodeNamed(view, name);
  return node?.body.name === name ? node : undefined;
}
