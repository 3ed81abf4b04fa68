/**
 * Makes one key, and for it a certificate request or the certificate that answers a challenge, on a thread of its own: what writes them
 * takes more memory than an agent may have, and is given back with the thread. Started by `x509-thread.ts`; in the bundle of the agent it is
 * a file of its own.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type ChallengeAnswer, makeChallengeCertificate } from '@meshwork/pki/challenge';
import { makeRequest } from '@meshwork/pki/request';

/** Undefined: a request. */
const answer: ChallengeAnswer | undefined = workerData;
parentPort?.postMessage(await (answer === undefined ? makeRequest() : makeChallengeCertificate(answer)));
