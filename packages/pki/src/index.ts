/**
 * X.509 as the mesh uses it: authorities, certificates, requests and revocation lists. Only this package knows the library that
 * reads and writes them (docs/decisions/0057). It decides nothing: who may have which certificate, the coordinator says.
 */
export { type AuthorityWanted, makeIntermediate, makeRoot } from './authority.ts';
export { type CertificateNames, type CertificateWanted, issueCertificate, type Usage } from './certificate.ts';
export { type ChallengeCertificate, readChallengeCertificate } from './challenge-certificate.ts';
export {
  checkIntermediate,
  type IntermediateChecked,
  type IntermediateResult,
  type IntermediateToCheck,
} from './check-intermediate.ts';
export type { Constraints } from './constraints.ts';
export { type GivenRead, type GivenResult, readGiven } from './given-chain.ts';
export { type IntermediateRequest, requestIntermediate } from './intermediate-request.ts';
export { type Issuer, type OpenIssuer, openIssuer } from './issuer.ts';
export { requestFor } from './make-request.ts';
export { type KeyType, type RequestRead, type RequestResult, readRequest } from './read-request.ts';
export { type ListWanted, makeRevocationList, type Revoked } from './revocation-list.ts';
