/**
 * Makes one key and one certificate request, on a thread of its own: what writes requests takes more memory than an agent may
 * have, and is given back with the thread. Started by `make-request.ts`; in the bundle of the agent it is a file of its own.
 */
import { parentPort } from 'node:worker_threads';
import { makeRequest } from '@meshwork/pki/request';

parentPort?.postMessage(await makeRequest());
