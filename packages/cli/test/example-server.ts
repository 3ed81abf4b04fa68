import type { ServerResponse } from 'node:http';
import {
  json,
  type LoopbackServer,
  loopbackServer,
  problem,
  problemOf,
  type SeenRequest,
} from '@meshwork/client/testing';
import { OPERATIONS, type Operation, type OperationId } from '@meshwork/contract';

type Answers = Partial<Record<OperationId, (response: ServerResponse, request: SeenRequest) => void>>;

/** A real server that answers every operation with the example of the contract, except where a test wants otherwise. */
export function exampleServer(answers: Answers = {}): Promise<LoopbackServer> {
  return loopbackServer((request, response) => {
    const found = operationFor(request);
    if (found === undefined) return problem(response, problemOf('route_not_found'));
    const [id, { answer, example }] = found;
    const special = answers[id];
    if (special !== undefined) return special(response, request);
    return json(response, example.answer, answer.status);
  });
}

function operationFor({ method, url }: SeenRequest): [OperationId, Operation] | undefined {
  const path = url.split('?')[0] ?? '';
  const table = Object.entries(OPERATIONS) as [OperationId, Operation][];
  return table.find(
    ([, operation]) =>
      operation.method === method && new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
}
