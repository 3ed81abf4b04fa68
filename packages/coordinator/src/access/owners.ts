/** What has an owner by the policy in effect: tags, names of nodes, host names. Asked inside the transaction that takes it. */
import { isDeepStrictEqual } from 'node:util';
import { type ActorRef, boundaryOf, MeshError, type Scope } from '@meshwork/contract';
import type { Ruling } from '@meshwork/policy';
import type { NodeDocument } from '../kinds/nodes.ts';
import type { GivenTag } from '../kinds/tokens.ts';
import { lastHolder } from '../mesh/last-holder.ts';
import type { View } from '../mesh/model.ts';
import { boundaryOfNode } from '../mesh/node-state.ts';
import { ownershipInEffect } from '../mesh/ownership-in-effect.ts';

/** A caller that sets tags: by its own scope, and by the tags that its token was given. */
interface TagSetter {
  readonly scope: Scope;
  readonly given: readonly GivenTag[];
}

/** A caller, with the tags of its token. */
export function setterOf(view: View, actor: { readonly id: string; readonly scope: Scope }): TagSetter {
  return { scope: actor.scope, given: view.get('token', actor.id)?.body.tags ?? [] };
}

/**
 * The scope by whose right a caller may set a tag. A tag that a token was given counts for as much as its giver could
 * set today: else a token with many tags, made while they had no owner, would outlive every later owner.
 */
export function rightTo(view: View, { scope, given }: TagSetter, tag: string): Scope | undefined {
  const ownership = ownershipInEffect(view);
  const byTag = given.find((one) => one.tag === tag)?.by;
  return [byTag, scope].find((by) => by !== undefined && ownership.tag(by, tag).allowed);
}

export function ensureMaySet(view: View, setter: TagSetter, tags: Iterable<string>): void {
  for (const tag of tags) {
    if (rightTo(view, setter, tag) === undefined) refuse(ownershipInEffect(view).tag(setter.scope, tag));
  }
}

/** For a node that is to be enrolled under the name. */
export function ensureMayTakeName(view: View, scope: Scope, name: string): void {
  const ownership = ownershipInEffect(view);
  if (ownership.mentionsName(name)) refuse(ownership.name(scope, name, lastHolder(view, name)));
}

export function ensureMayUseHostname(view: View, scope: Scope, hostname: string): void {
  refuse(ownershipInEffect(view).domain(scope, hostname));
}

/**
 * For a node that gets other tags. What it keeps needs no right, unless it goes to another boundary: there its tags and its
 * name are as new.
 */
export function ensureMayRetag(view: View, setter: TagSetter, node: NodeDocument, tags: readonly string[]): void {
  const boundary = boundaryOfNode(node);
  if (isDeepStrictEqual(boundary, boundaryOf(tags))) {
    ensureMaySet(view, setter, new Set(tags).difference(new Set(node.tags)));
    return;
  }
  ensureMaySet(view, setter, tags);
  refuse(ownershipInEffect(view).name(setter.scope, node.name, boundary));
}

/**
 * For a pending node that is to be approved: its tags and its name take effect only now, under a policy that may be another
 * than when it enrolled. Either who lets it in may set them, or who enrolled it could by a token that was not revoked.
 */
export function ensureMayLetIn(view: View, approver: TagSetter, node: NodeDocument): void {
  const enroller = enrollerOf(view, node.created_by);
  for (const tag of node.tags) {
    if (enroller === undefined || rightTo(view, enroller, tag) === undefined) ensureMaySet(view, approver, [tag]);
  }
  const ownership = ownershipInEffect(view);
  if (!ownership.mentionsName(node.name)) return;
  const last = lastHolder(view, node.name);
  const couldTake = enroller !== undefined && ownership.name(enroller.scope, node.name, last).allowed;
  if (!couldTake) refuse(ownership.name(approver.scope, node.name, last));
}

/** Undefined: a person, whose token is gone, or a token that is revoked or forgotten. */
function enrollerOf(view: View, { kind, id }: ActorRef): TagSetter | undefined {
  const token = kind === 'token' && id !== null ? view.get('token', id)?.body : undefined;
  return token === undefined || token.revoked_at !== null ? undefined : { scope: token.scope, given: token.tags ?? [] };
}

function refuse(ruling: Ruling): void {
  if (!ruling.allowed) throw new MeshError('not_owner', ruling.detail);
}
