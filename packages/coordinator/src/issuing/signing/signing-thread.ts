/** The other thread: reads requests and signs, one job after another, so that no request to the coordinator waits for it. */
import {
  checkIntermediate,
  issueCertificate,
  makeIntermediate,
  makeRevocationList,
  makeRoot,
  openIssuer,
  readChallengeCertificate,
  readGiven,
  readRequest,
  requestFor,
  requestIntermediate,
} from '@meshwork/pki';
import { answerJobs } from '../../threads/answer-jobs.ts';
import type { JobName, Jobs, SigningJob } from './jobs.ts';
import { readRevoked } from './revoked-text.ts';

type Work = { readonly [J in JobName]: (input: Jobs[J]['input']) => Promise<Jobs[J]['output']> };

const WORK: Work = {
  root: makeRoot,
  intermediate: async ({ root, wanted }) => await makeIntermediate(await openIssuer(root), wanted),
  challenge: async (der) => readChallengeCertificate(der),
  given: async ({ now_ms, ...given }) => readGiven(given, now_ms),
  request_for: requestFor,
  request: requestIntermediate,
  check: checkIntermediate,
  read: (requests) => Promise.all(requests.map((request) => readRequest(request))),
  issue: async ({ issuer, wanted }) => {
    const open = await openIssuer(issuer);
    return wanted.map((one) => issueCertificate(open, one));
  },
  list: async ({ issuer, wanted, revoked }) =>
    makeRevocationList(await openIssuer(issuer), { ...wanted, revoked: readRevoked(revoked) }),
};

answerJobs(({ name, input }: SigningJob) =>
  (WORK[name] as (given: typeof input) => Promise<Jobs[JobName]['output']>)(input),
);
