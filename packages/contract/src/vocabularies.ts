/** The vocabulary of every area that adds a permission or a kind of id, in the order in which permissions are shown. */

import { aclVocabulary } from './areas/acls/vocabulary.ts';
import { acmeVocabulary } from './areas/acme/vocabulary.ts';
import { auditVocabulary } from './areas/audit/vocabulary.ts';
import { caVocabulary } from './areas/ca/vocabulary.ts';
import { dnsVocabulary } from './areas/dns/vocabulary.ts';
import { eventVocabulary } from './areas/events/vocabulary.ts';
import { firewallVocabulary } from './areas/firewall/vocabulary.ts';
import { givenCertificateVocabulary } from './areas/given-certificates/vocabulary.ts';
import { ingressVocabulary } from './areas/ingress/vocabulary.ts';
import { metaVocabulary } from './areas/meta/vocabulary.ts';
import { nodeVocabulary } from './areas/nodes/vocabulary.ts';
import { nodeOperationVocabulary } from './areas/operations/vocabulary.ts';
import { outsideAuthorityVocabulary } from './areas/outside-authorities/vocabulary.ts';
import { peerVocabulary } from './areas/peers/vocabulary.ts';
import { relayVocabulary } from './areas/relays/vocabulary.ts';
import { roleVocabulary } from './areas/roles/vocabulary.ts';
import { selfVocabulary } from './areas/self/vocabulary.ts';
import { settingsVocabulary } from './areas/settings/vocabulary.ts';
import { tokenVocabulary } from './areas/tokens/vocabulary.ts';
import { wafVocabulary } from './areas/waf/vocabulary.ts';
import { panelVocabulary } from './panel/vocabulary.ts';
import type { Vocabulary } from './vocabulary-type.ts';

export * from './areas/acls/vocabulary.ts';
export * from './areas/acme/vocabulary.ts';
export * from './areas/agents/vocabulary.ts';
export * from './areas/audit/vocabulary.ts';
export * from './areas/ca/vocabulary.ts';
export * from './areas/certificate-orders/vocabulary.ts';
export * from './areas/dns/vocabulary.ts';
export * from './areas/events/vocabulary.ts';
export * from './areas/firewall/vocabulary.ts';
export * from './areas/given-certificates/vocabulary.ts';
export * from './areas/ingress/vocabulary.ts';
export * from './areas/meta/vocabulary.ts';
export * from './areas/nodes/vocabulary.ts';
export * from './areas/operations/vocabulary.ts';
export * from './areas/outside-authorities/vocabulary.ts';
export * from './areas/peers/vocabulary.ts';
export * from './areas/relays/vocabulary.ts';
export * from './areas/roles/vocabulary.ts';
export * from './areas/self/vocabulary.ts';
export * from './areas/settings/vocabulary.ts';
export * from './areas/tokens/vocabulary.ts';
export * from './areas/waf/vocabulary.ts';
export * from './panel/vocabulary.ts';

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
  givenCertificateVocabulary,
  outsideAuthorityVocabulary,
  wafVocabulary,
  dnsVocabulary,
  caVocabulary,
  acmeVocabulary,
  firewallVocabulary,
] as const satisfies readonly Vocabulary[];
