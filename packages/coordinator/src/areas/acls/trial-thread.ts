/** The other thread: a policy that takes long to work out delays no request here. */
import { parentPort } from 'node:worker_threads';
import type { TrialAnswer, TrialNode, TrialRequest } from './trial.ts';
import { tryPolicy } from './try-policy.ts';

let nodes: readonly TrialNode[] = [];

parentPort?.on('message', (request: TrialRequest) => {
  nodes = request.nodes ?? nodes;
  const answer: TrialAnswer = { id: request.id, trial: tryPolicy(request, nodes) };
  parentPort?.postMessage(answer);
});
