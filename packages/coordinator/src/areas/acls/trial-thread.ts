/** The other thread: a policy that takes long to work out delays no request here. */
import { answerJobs } from '../../threads/answer-jobs.ts';
import type { TrialNode, TrialRequest } from './trial.ts';
import { tryPolicy } from './try-policy.ts';

let nodes: readonly TrialNode[] = [];

answerJobs((request: TrialRequest) => {
  nodes = request.nodes ?? nodes;
  return tryPolicy(request, nodes);
});
