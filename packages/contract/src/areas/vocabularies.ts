/** The vocabulary of every area that adds a permission or a kind of id, in the order in which permissions are shown. */

import { panelVocabulary } from '../panel/vocabulary.ts';
import type { Vocabulary } from '../vocabulary-type.ts';
import { aclVocabulary } from './acls/vocabulary.ts';
import { auditVocabulary } from './audit/vocabulary.ts';
import { eventVocabulary } from './events/vocabulary.ts';
import { firewallVocabulary } from './firewall/vocabulary.ts';
import { ingressVocabulary } from './ingress/vocabulary.ts';
import { metaVocabulary } from './meta/vocabulary.ts';
import { nodeVocabulary } from './nodes/vocabulary.ts';
import { nodeOperationVocabulary } from './operations/vocabulary.ts';
import { peerVocabulary } from './peers/vocabulary.ts';
import { relayVocabulary } from './relays/vocabulary.ts';
import { roleVocabulary } from './roles/vocabulary.ts';
import { selfVocabulary } from './self/vocabulary.ts';
import { settingsVocabulary } from './settings/vocabulary.ts';
import { tokenVocabulary } from './tokens/vocabulary.ts';

export * from '../panel/vocabulary.ts';
export * from './acls/vocabulary.ts';
export * from './agents/vocabulary.ts';
export * from './audit/vocabulary.ts';
export * from './events/vocabulary.ts';
export * from './firewall/vocabulary.ts';
export * from './ingress/vocabulary.ts';
export * from './meta/vocabulary.ts';
export * from './nodes/vocabulary.ts';
export * from './operations/vocabulary.ts';
export * from './peers/vocabulary.ts';
export * from './relays/vocabulary.ts';
export * from './roles/vocabulary.ts';
export * from './self/vocabulary.ts';
export * from './settings/vocabulary.ts';
export * from './tokens/vocabulary.ts';

export const VOCABULARIES = [
  selfVocabulary,
  tokenVocabulary,
  panelVocabulary,
  roleVocabulary,
  auditVocabulary,
  settingsVocabulary,
  metaVocabulary,
  eventVocabulary,
  nodeVocabulary,
  nodeOperationVocabulary,
  peerVocabulary,
  aclVocabulary,
  relayVocabulary,
  ingressVocabulary,
  firewallVocabulary,
] as const satisfies readonly Vocabulary[];
